import type { Command } from "commander";
import { readUsage } from "../../people/usage.js";
import { type CommandParts, openWorkspace } from "../command-context.js";

export function addUsageCommand(program: Command, parts: CommandParts): void {
  const { terminal, texts } = parts;
  program
    .command("usage")
    .description(texts.usage)
    .helpOption("-h, --help", texts.help)
    .action(async (_options: unknown, command: Command) => {
      const { workspace } = await openWorkspace(command, parts);
      const days = await readUsage(workspace);
      if (terminal.asJson) return terminal.json(days);
      if (days.length === 0) return terminal.line(texts.usageNone);
      const { day, requests, characters, stored, failures } = texts.columns;
      terminal.table(
        [day, requests, characters, stored, failures],
        days.map((one) => [one.day, ...[one.requests, one.characters, one.stored, one.failures].map(String)]),
      );
    });
}
