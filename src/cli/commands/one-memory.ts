import type { Command } from "commander";
import { globalScope, type MemoryItem } from "../../memory/memory-item.js";
import { type CommandParts, openWorkspace, peopleTexts } from "../command-context.js";
import { localTime } from "../format.js";
import { itemOf } from "../item-of.js";

/** `show`, `pin` and `unpin`: what concerns a memory beside its words. */
export function addOneMemoryCommands(program: Command, parts: CommandParts): void {
  const { terminal, texts } = parts;

  program
    .command("show")
    .description(texts.show)
    .helpOption("-h, --help", texts.help)
    .argument("<id>", texts.argumentId)
    .action(async (id: string, _options: unknown, command: Command) => {
      const { workspace } = await openWorkspace(command, parts);
      const item = await itemOf(workspace, id, parts);
      if (terminal.asJson) return terminal.json(item);
      terminal.content(item.content);
      terminal.line();
      for (const [name, value] of detailsOf(item, parts)) terminal.content(`${name}: ${value}`);
    });

  for (const pinned of [true, false]) {
    program
      .command(pinned ? "pin" : "unpin")
      .description(pinned ? texts.pin : texts.unpin)
      .helpOption("-h, --help", texts.help)
      .argument("<id...>", texts.argumentId)
      .action(async (ids: string[], _options: unknown, command: Command) => {
        const { workspace } = await openWorkspace(command, parts);
        const items = await Promise.all(ids.map((id) => itemOf(workspace, id, parts)));
        const changed: MemoryItem[] = [];
        for (const { id } of items) changed.push(await workspace.memories.setPinned(id, pinned));
        if (terminal.asJson) return terminal.json(changed);
        terminal.line(pinned ? texts.nowPinned(changed.length) : texts.nowUnpinned(changed.length));
      });
  }
}

function detailsOf(item: MemoryItem, parts: CommandParts): [string, string][] {
  const { details, columns } = parts.texts;
  const { source } = item;
  const scope = (session: string) => (session === globalScope ? peopleTexts(parts).globalSource : session);
  return [
    [columns.id, item.id],
    [columns.time, localTime(item.createdAt)],
    ...(item.pinned === true ? [[columns.state, details.pinned] as [string, string]] : []),
    ...(source === undefined
      ? [
          [columns.source, scope(item.sourceScope)] as [string, string],
          [details.learned, details.byHand] as [string, string],
        ]
      : [
          [columns.source, source.sessionIds.map(scope).join(", ")] as [string, string],
          [details.learned, localTime(source.learnedAt)] as [string, string],
          [details.messages, source.messageIds.join(", ")] as [string, string],
          ...(source.byHandAt === undefined
            ? []
            : [[details.corrected, localTime(source.byHandAt)] as [string, string]]),
        ]),
  ];
}
