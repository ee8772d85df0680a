import type { Command } from "commander";
import { globalScope } from "../../memory/memory-item.js";
import { viewCandidates } from "../../people/replacements.js";
import type { SecretOptions } from "../../workspace/index.js";
import { type CommandParts, openWorkspace, peopleTexts } from "../command-context.js";
import { contentOf } from "../content-of.js";
import { firstCharacters, localTime } from "../format.js";
import { entryOf } from "../item-of.js";

export function addCandidateCommands(program: Command, parts: CommandParts): void {
  const { terminal, texts } = parts;
  const candidates = program
    .command("candidates")
    .description(texts.candidates)
    .helpOption("-h, --help", texts.help)
    .helpCommand(false);

  candidates
    .command("list", { isDefault: true })
    .description(texts.candidatesList)
    .helpOption("-h, --help", texts.help)
    .action(async (_options: unknown, command: Command) => {
      const { workspace } = await openWorkspace(command, parts);
      const waiting = (await viewCandidates(workspace)).reverse();
      if (terminal.asJson) return terminal.json(waiting);
      if (waiting.length === 0) return terminal.line(texts.noCandidates);
      const { id, time, source, content } = texts.columns;
      terminal.table(
        [id, time, source, content],
        waiting.map((one) => [
          firstCharacters(one.id, 8),
          localTime(one.createdAt),
          one.sourceScope === globalScope
            ? peopleTexts(parts).globalSource
            : firstCharacters(one.sourceScope, 8),
          one.wouldReplace.length === 0
            ? one.content
            : `${one.content} ${texts.wouldReplace(one.wouldReplace.map((old) => old.content))}`,
        ]),
      );
      terminal.line(texts.count(waiting.length));
    });

  candidates
    .command("accept")
    .description(texts.candidatesAccept)
    .helpOption("-h, --help", texts.help)
    .argument("<id>", texts.argumentId)
    .argument("[content...]", texts.argumentNewContent)
    .option("--allow-secret", texts.allowSecret)
    .action(async (id: string, words: string[], { allowSecret }: SecretOptions, command: Command) => {
      const { workspace } = await openWorkspace(command, parts);
      const candidate = entryOf(await workspace.candidates.list(), id, parts, "ERR_CANDIDATE_NOT_FOUND");
      const content = words.length === 0 ? undefined : await contentOf(words, parts);
      const item = await workspace.candidates.accept(candidate.id, { content, allowSecret });
      if (terminal.asJson) return terminal.json(item);
      terminal.line(texts.accepted(firstCharacters(item.id, 8)));
    });

  candidates
    .command("reject")
    .description(texts.candidatesReject)
    .helpOption("-h, --help", texts.help)
    .argument("<id...>", texts.argumentId)
    .action(async (ids: string[], _options: unknown, command: Command) => {
      const { workspace } = await openWorkspace(command, parts);
      const waiting = await workspace.candidates.list();
      const chosen = ids.map((id) => entryOf(waiting, id, parts, "ERR_CANDIDATE_NOT_FOUND"));
      let rejected = 0;
      for (const { id } of chosen) if (await workspace.candidates.reject(id)) rejected++;
      if (terminal.asJson) return terminal.json({ rejected });
      terminal.line(texts.rejected(rejected));
    });
}
