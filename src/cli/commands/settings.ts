import type { Command } from "commander";
import type { CliTexts } from "../../locales/people-cli.js";
import type { Settings } from "../../workspace/index.js";
import { CliFault, exitCodes } from "../cli-fault.js";
import { type CommandParts, openWorkspace } from "../command-context.js";

/** The short names, and the keys of `settings.json`, which are names as well. */
const keys = {
  memory: "aiMemoryEnabled",
  limit: "aiMemoryLimit",
  rules: "aiRulesEnabled",
  skills: "aiSkillsEnabled",
} as const satisfies Readonly<Record<string, keyof Settings>>;

type SettingName = keyof typeof keys;

export function addSettingsCommands(program: Command, parts: CommandParts): void {
  const { terminal, texts } = parts;
  const settings = program
    .command("settings")
    .description(texts.settings)
    .helpOption("-h, --help", texts.help)
    .helpCommand(false);

  settings
    .command("get", { isDefault: true })
    .description(texts.settingsGet)
    .helpOption("-h, --help", texts.help)
    .argument("[name]", texts.argumentSetting)
    .action(async (name: string | undefined, _options: unknown, command: Command) => {
      const { workspace } = await openWorkspace(command, parts);
      const all = await workspace.settings.get();
      if (name !== undefined) {
        const value = all[keys[nameOf(name, texts)]];
        if (terminal.asJson) return terminal.json(value);
        return terminal.line(shown(value, texts));
      }
      if (terminal.asJson) return terminal.json(all);
      terminal.table(
        [texts.columns.setting, texts.columns.value],
        Object.entries(keys).map(([short, key]) => [short, shown(all[key], texts)]),
      );
    });

  settings
    .command("set")
    .description(texts.settingsSet)
    .helpOption("-h, --help", texts.help)
    .argument("<name>", texts.argumentSetting)
    .argument("<value>", texts.argumentValue)
    .action(async (name: string, value: string, _options: unknown, command: Command) => {
      const { workspace } = await openWorkspace(command, parts);
      const setting = nameOf(name, texts);
      const parsed = setting === "limit" ? limitOf(value) : switchOf(value, texts);
      await workspace.settings.update({ [keys[setting]]: parsed });
      if (terminal.asJson) return terminal.json(await workspace.settings.get());
      terminal.line(texts.changed);
    });
}

function nameOf(name: string, texts: CliTexts): SettingName {
  const found = Object.entries(keys).find(([short, key]) => name === short || name === key);
  if (found !== undefined) return found[0] as SettingName;
  const known = Object.keys(keys).join(", ");
  throw new CliFault("ERR_SETTING_INVALID", texts.unknownSetting(known), exitCodes.calledWrongly);
}

function switchOf(value: string, texts: CliTexts): boolean {
  if (["on", "true", "开"].includes(value)) return true;
  if (["off", "false", "关"].includes(value)) return false;
  throw new CliFault("ERR_SETTING_INVALID", texts.wrongSwitch, exitCodes.calledWrongly);
}

/** What is no number stays none, and is refused where all settings are checked. */
function limitOf(value: string): number {
  return value.trim() === "" ? Number.NaN : Number(value);
}

function shown(value: boolean | number, texts: CliTexts): string {
  if (typeof value === "number") return String(value);
  return value ? texts.on : texts.off;
}
