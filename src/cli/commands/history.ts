import type { Command } from "commander";
import { viewHistory } from "../../people/replacements.js";
import { type CommandParts, openWorkspace } from "../command-context.js";
import { firstCharacters, localTime } from "../format.js";
import { entryOf } from "../item-of.js";

export function addHistoryCommands(program: Command, parts: CommandParts): void {
  const { terminal, texts } = parts;
  const history = program
    .command("history")
    .description(texts.history)
    .helpOption("-h, --help", texts.help)
    .helpCommand(false);

  history
    .command("list", { isDefault: true })
    .description(texts.historyList)
    .helpOption("-h, --help", texts.help)
    .action(async (_options: unknown, command: Command) => {
      const { workspace } = await openWorkspace(command, parts);
      const replaced = (await viewHistory(workspace)).reverse();
      if (terminal.asJson) return terminal.json(replaced);
      if (replaced.length === 0) return terminal.line(texts.noHistory);
      const { id, replacedAt, content } = texts.columns;
      terminal.table(
        [id, replacedAt, content],
        replaced.map((one) => [
          firstCharacters(one.id, 8),
          localTime(one.replacedAt),
          `${one.content} → ${one.replacement ?? texts.replacementGone}`,
        ]),
      );
      terminal.line(texts.count(replaced.length));
    });

  history
    .command("restore")
    .description(texts.historyRestore)
    .helpOption("-h, --help", texts.help)
    .argument("<id>", texts.argumentId)
    .action(async (id: string, _options: unknown, command: Command) => {
      const { workspace } = await openWorkspace(command, parts);
      const replaced = entryOf(await workspace.memories.history(), id, parts);
      const item = await workspace.memories.restore(replaced.id);
      if (terminal.asJson) return terminal.json(item);
      terminal.line(texts.restored(firstCharacters(item.id, 8)));
    });

  history
    .command("remove")
    .description(texts.historyRemove)
    .helpOption("-h, --help", texts.help)
    .argument("<id...>", texts.argumentId)
    .action(async (ids: string[], _options: unknown, command: Command) => {
      const { workspace } = await openWorkspace(command, parts);
      const replaced = await workspace.memories.history();
      const chosen = ids.map((id) => entryOf(replaced, id, parts));
      let removed = 0;
      for (const { id } of chosen) if (await workspace.memories.remove(id)) removed++;
      if (terminal.asJson) return terminal.json({ removed });
      terminal.line(texts.removed(removed));
    });
}
