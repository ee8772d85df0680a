import type { Command } from "commander";
import { CliFault, exitCodes } from "../cli-fault.js";
import { type CommandParts, openWorkspace } from "../command-context.js";
import { openOutside } from "../open-outside.js";

export function addPanelCommand(program: Command, parts: CommandParts): void {
  const { host, terminal, locale, texts } = parts;
  program
    .command("panel")
    .description(texts.panel)
    .helpOption("-h, --help", texts.help)
    .option("--port <number>", texts.panelPort)
    .option("--no-open", texts.panelNoOpen)
    .action(async ({ port = "0", open }: { port?: string; open: boolean }, command: Command) => {
      const number = Number(port);
      if (port.trim() === "" || !Number.isInteger(number) || number < 0 || number > 65_535) {
        throw new CliFault("ERR_USAGE", texts.wrongPort, exitCodes.calledWrongly);
      }
      const { workspace } = await openWorkspace(command, parts);
      // Who only lists memories loads no server.
      const { startLocalServer } = await import("../../panel/local-server.js");
      const server = await startLocalServer(workspace, {
        port: number,
        locale,
        openFolder: async (path) => {
          if (!(await openOutside(path, host.platform))) throw new Error("no file manager");
        },
      }).catch(() => {
        throw new CliFault("ERR_PORT", texts.portTaken(number));
      });
      if (terminal.asJson) terminal.json({ url: server.url });
      else {
        terminal.line(texts.panelOpen);
        terminal.line(server.url);
        terminal.line(texts.panelStop);
      }
      if (open && !terminal.asJson) void openOutside(server.url, host.platform);
      await new Promise<void>((resolve) => {
        host.once("SIGINT", resolve);
        host.once("SIGTERM", resolve);
      });
      await server.close();
    });
}
