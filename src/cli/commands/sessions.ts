import type { Command } from "commander";
import { CliFault } from "../cli-fault.js";
import { type CommandParts, openWorkspace } from "../command-context.js";
import { localTime } from "../format.js";

export function addSessionCommands(program: Command, parts: CommandParts): void {
  const { terminal, texts } = parts;
  const sessions = program
    .command("sessions")
    .description(texts.sessions)
    .helpOption("-h, --help", texts.help)
    .helpCommand(false);

  sessions
    .command("list", { isDefault: true })
    .description(texts.sessions)
    .helpOption("-h, --help", texts.help)
    .action(async (_options: unknown, command: Command) => {
      const { workspace } = await openWorkspace(command, parts);
      const [all, waiting] = await Promise.all([workspace.sessions.list(), workspace.waiting.count()]);
      if (terminal.asJson) return terminal.json({ sessions: all, waiting });
      if (all.length === 0) return terminal.line(texts.noSessions);
      const { session, waiting: waits, lastExtraction, cursor } = texts.columns;
      terminal.table(
        [waits, lastExtraction, session, cursor],
        all.map((one) => [
          `${one.waiting.messages}/${one.waiting.characters}`,
          one.extractedAt === undefined ? texts.never : localTime(one.extractedAt),
          one.sessionId,
          one.extractedUpTo ?? "",
        ]),
      );
      terminal.line(texts.waits(waiting.messages, waiting.characters, waiting.sessions));
    });

  sessions
    .command("remove")
    .description(texts.sessionsRemove)
    .helpOption("-h, --help", texts.help)
    .argument("<session>", texts.argumentSession)
    .action(async (sessionId: string, _options: unknown, command: Command) => {
      const { workspace } = await openWorkspace(command, parts);
      if (!(await workspace.sessions.remove(sessionId))) {
        throw new CliFault("ERR_SESSION_NOT_FOUND", texts.noSuchSession);
      }
      if (terminal.asJson) return terminal.json({ removed: true });
      terminal.line(texts.sessionRemoved);
    });
}
