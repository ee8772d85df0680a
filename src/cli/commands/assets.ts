import type { Command } from "commander";
import { exitCodes } from "../cli-fault.js";
import { type CommandParts, openWorkspace } from "../command-context.js";
import { size } from "../format.js";
import { openOutside } from "../open-outside.js";

/** `rules …` and `skills …`: the same for both. */
export function addAssetCommands(program: Command, parts: CommandParts, kind: "rules" | "skills"): void {
  const { terminal, texts } = parts;
  const assets = program.command(kind).description(texts[kind]).helpOption("-h, --help", texts.help);
  assets.helpCommand(false);

  assets
    .command("list", { isDefault: true })
    .description(texts.assetList)
    .helpOption("-h, --help", texts.help)
    .action(async (_options: unknown, command: Command) => {
      const { app } = await openWorkspace(command, parts);
      const [files, settings] = await Promise.all([app[kind].list(), app.settings.get()]);
      if (terminal.asJson) return terminal.json(files);
      if (files.length === 0) return terminal.line(texts.noFiles(await app[kind].directory()));
      const { file, name, size: bytes, state, description } = texts.columns;
      terminal.table(
        [state, bytes, file, name, description],
        files.map((asset) => [
          [asset.enabled ? texts.on : texts.off, ...(asset.truncated ? [texts.truncated] : [])].join(" "),
          size(asset.bytes),
          asset.filename,
          asset.name,
          asset.description,
        ]),
      );
      terminal.line(texts.files(files.length));
      const isOn = kind === "rules" ? settings.aiRulesEnabled : settings.aiSkillsEnabled;
      if (!isOn) terminal.line(terminal.paint("yellow", texts.switchedOff(texts[kind])));
    });

  assets
    .command("show")
    .description(texts.assetShow)
    .helpOption("-h, --help", texts.help)
    .argument("<file>", texts.argumentFile)
    .action(async (filename: string, _options: unknown, command: Command) => {
      const { app } = await openWorkspace(command, parts);
      const text = await app[kind].read(filename);
      if (terminal.asJson) return terminal.json({ filename, text });
      terminal.content(text);
    });

  for (const [name, on] of [
    ["enable", true],
    ["disable", false],
  ] as const) {
    assets
      .command(name)
      .description(on ? texts.assetEnable : texts.assetDisable)
      .helpOption("-h, --help", texts.help)
      .argument("<file>", texts.argumentFile)
      .action(async (filename: string, _options: unknown, command: Command) => {
        const { app } = await openWorkspace(command, parts);
        await app[kind].setEnabled(filename, on);
        if (terminal.asJson) return terminal.json({ filename, enabled: on });
        terminal.line(on ? texts.switchedOn(filename) : texts.switchedOff(filename));
      });
  }

  assets
    .command("open")
    .description(texts.assetOpen)
    .helpOption("-h, --help", texts.help)
    .action(async (_options: unknown, command: Command) => {
      const { app } = await openWorkspace(command, parts);
      const folder = await app[kind].directory();
      const opened = await openOutside(folder, parts.host.platform);
      if (!opened) parts.setExitCode(exitCodes.notDone);
      if (terminal.asJson) return terminal.json({ folder, opened });
      terminal.line(opened ? texts.opened(folder) : texts.cantOpen(folder));
    });
}
