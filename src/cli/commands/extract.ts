import type { Command } from "commander";
import { CliFault, exitCodes } from "../cli-fault.js";
import { type CommandParts, openWorkspace } from "../command-context.js";
import { modelFromEnvironment } from "../model-from-environment.js";

export function addExtractCommand(program: Command, parts: CommandParts): void {
  const { terminal, texts } = parts;
  program
    .command("extract")
    .description(texts.extract)
    .helpOption("-h, --help", texts.help)
    .option("--session <id>", texts.session)
    .action(async ({ session }: { session?: string }, command: Command) => {
      const model = await modelFromEnvironment(parts);
      const { app, workspace } = await openWorkspace(command, parts, { model });
      if (!(await workspace.settings.get()).aiMemoryEnabled) {
        throw new CliFault("ERR_MEMORY_OFF", texts.memoryIsOff);
      }
      const result = await workspace.extractNow(session);
      await app.close();
      if (result.failure !== undefined) parts.setExitCode(exitCodes.notDone);
      if (terminal.asJson) return terminal.json(result);
      const { requests, stored, remaining, failure } = result;
      terminal.line(
        requests === 0 && failure === undefined
          ? texts.nothingWaits
          : texts.extracted(stored, requests, remaining),
      );
      if (failure !== undefined) {
        const status = failure.status === undefined ? "" : ` (${failure.status})`;
        terminal.error(texts.extractionFailed(`${failure.reason}${status}`));
      }
    });
}
