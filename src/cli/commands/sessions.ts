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
    .option("--learned", texts.sessionsRemoveLearned)
    .action(async (sessionId: string, { learned = false }: { learned?: boolean }, command: Command) => {
      const { workspace } = await openWorkspace(command, parts);
      const before = await workspace.memories.list();
      if (!(await workspace.sessions.remove(sessionId, { learned }))) {
        throw new CliFault("ERR_SESSION_NOT_FOUND", texts.noSuchSession);
      }
      const left = new Set((await workspace.memories.list()).map(({ id }) => id));
      const forgotten = learned ? before.filter(({ id }) => !left.has(id)).length : 0;
      if (terminal.asJson) return terminal.json({ removed: true, ...(learned && { forgotten }) });
      terminal.line(texts.sessionRemoved);
      if (learned) terminal.line(texts.removed(forgotten));
    });
}
