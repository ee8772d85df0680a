import type { Command } from "commander";
import { globalScope } from "../../memory/memory-item.js";
import type { MemoryWorkspace, SecretOptions } from "../../workspace/index.js";
import { CliFault, exitCodes } from "../cli-fault.js";
import { type CommandParts, openWorkspace, peopleTexts } from "../command-context.js";
import { contentOf } from "../content-of.js";
import { firstCharacters, localTime } from "../format.js";
import { itemOf } from "../item-of.js";

export function addMemoryCommands(program: Command, parts: CommandParts): void {
  const { terminal, texts } = parts;

  program
    .command("list")
    .description(texts.list)
    .helpOption("-h, --help", texts.help)
    .option("--search <text>", texts.listSearch)
    .action(async ({ search }: { search?: string }, command: Command) => {
      const { workspace } = await openWorkspace(command, parts);
      const wanted = search?.toLocaleLowerCase() ?? "";
      const items = (await workspace.memories.list())
        .filter(({ content }) => content.toLocaleLowerCase().includes(wanted))
        .reverse();
      if (terminal.asJson) return terminal.json(items);
      if (items.length === 0 && wanted === "") return terminal.line(peopleTexts(parts).emptyList);
      const { id, time, source, content } = texts.columns;
      terminal.table(
        [id, time, source, content],
        items.map((item) => [
          firstCharacters(item.id, 8),
          localTime(item.createdAt),
          item.sourceScope === globalScope
            ? peopleTexts(parts).globalSource
            : firstCharacters(item.sourceScope, 8),
          item.pinned === true ? `${texts.pinnedMark} ${item.content}` : item.content,
        ]),
      );
      terminal.line(texts.count(items.length));
    });

  program
    .command("add")
    .description(texts.add)
    .helpOption("-h, --help", texts.help)
    .argument("<content...>", texts.argumentContent)
    .option("--allow-secret", texts.allowSecret)
    .action(async (words: string[], { allowSecret }: SecretOptions, command: Command) => {
      const { workspace } = await openWorkspace(command, parts);
      const former = new Set((await workspace.memories.list()).map(({ id }) => id));
      const item = await workspace.memories.add(await contentOf(words, parts), { allowSecret });
      if (terminal.asJson) return terminal.json(item);
      const shownId = firstCharacters(item.id, 8);
      terminal.line(former.has(item.id) ? texts.alreadyThere(shownId) : texts.added(shownId));
    });

  program
    .command("edit")
    .description(texts.edit)
    .helpOption("-h, --help", texts.help)
    .argument("<id>", texts.argumentId)
    .argument("<content...>", texts.argumentContent)
    .option("--allow-secret", texts.allowSecret)
    .action(async (id: string, words: string[], { allowSecret }: SecretOptions, command: Command) => {
      const { workspace } = await openWorkspace(command, parts);
      const { id: wholeId } = await itemOf(workspace, id, parts);
      const item = await workspace.memories.update(wholeId, await contentOf(words, parts), { allowSecret });
      if (terminal.asJson) return terminal.json(item);
      terminal.line(texts.edited);
    });

  program
    .command("remove")
    .description(texts.remove)
    .helpOption("-h, --help", texts.help)
    .argument("<id...>", texts.argumentId)
    .action(async (ids: string[], _options: unknown, command: Command) => {
      const { workspace } = await openWorkspace(command, parts);
      const items = await Promise.all(ids.map((id) => itemOf(workspace, id, parts)));
      let removed = 0;
      for (const { id } of items) if (await workspace.memories.remove(id)) removed++;
      if (terminal.asJson) return terminal.json({ removed });
      terminal.line(texts.removed(removed));
    });

  program
    .command("clear")
    .description(texts.clear)
    .helpOption("-h, --help", texts.help)
    .option("--yes", texts.clearYes)
    .option("--waiting", texts.clearWaiting)
    .action(async (options: { yes?: true; waiting?: true }, command: Command) => {
      const { workspace } = await openWorkspace(command, parts);
      const choice = await agreeToClear(workspace, options, parts);
      if (choice === undefined) {
        terminal.line(texts.notConfirmed);
        return parts.setExitCode(exitCodes.notDone);
      }
      const { messages } = await workspace.waiting.count();
      const cleared = await workspace.memories.clear({ waiting: choice.waiting });
      const dropped = choice.waiting ? messages : 0;
      if (terminal.asJson) return terminal.json({ cleared, waitingDropped: dropped });
      terminal.line(texts.cleared(cleared));
      if (choice.waiting) terminal.line(texts.waitingDropped(dropped));
    });
}

/** Says what will go and what waits, and asks; without a terminal only `--yes` is an answer. */
async function agreeToClear(
  workspace: MemoryWorkspace,
  { yes, waiting }: { readonly yes?: true; readonly waiting?: true },
  { terminal, texts }: CommandParts,
): Promise<{ readonly waiting: boolean } | undefined> {
  if (yes === true) return { waiting: waiting === true };
  const [items, candidates, { messages, characters, sessions }] = await Promise.all([
    workspace.memories.list(),
    workspace.candidates.list(),
    workspace.waiting.count(),
  ]);
  const lines = [
    texts.clearQuestion(items.length),
    ...(candidates.length > 0 ? [texts.clearCandidates(candidates.length)] : []),
    texts.waits(messages, characters, sessions),
  ];
  if (!terminal.isInteractive) {
    for (const line of lines) terminal.error(line);
    throw new CliFault("ERR_NOT_CONFIRMED", texts.needsYes);
  }
  for (const line of lines) terminal.line(line);
  let dropsWaiting = waiting === true;
  if (messages > 0 && dropsWaiting) terminal.line(texts.waitingGoes);
  if (messages > 0 && !dropsWaiting) {
    terminal.line(texts.waitingStays);
    dropsWaiting = texts.yes.test(await terminal.ask(texts.alsoDropWaiting));
  }
  return texts.yes.test(await terminal.ask(texts.confirm)) ? { waiting: dropsWaiting } : undefined;
}
