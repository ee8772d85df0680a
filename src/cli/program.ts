import { Command, Option } from "commander";
import { locales } from "../locales/index.js";
import { CliFault, exitCodes } from "./cli-fault.js";
import type { CommandParts } from "./command-context.js";
import { addAssetCommands } from "./commands/assets.js";
import { addCandidateCommands } from "./commands/candidates.js";
import { addContextCommand } from "./commands/context.js";
import { addCopyCommand } from "./commands/copy.js";
import { addDoctorCommand } from "./commands/doctor.js";
import { addExtractCommand } from "./commands/extract.js";
import { addHistoryCommands } from "./commands/history.js";
import { addMemoryCommands } from "./commands/memories.js";
import { addOneMemoryCommands } from "./commands/one-memory.js";
import { addPanelCommand } from "./commands/panel.js";
import { addSessionCommands } from "./commands/sessions.js";
import { addSettingsCommands } from "./commands/settings.js";
import { addUsageCommand } from "./commands/usage.js";
import { version } from "./version.js";

export function makeProgram(parts: CommandParts): Command {
  const { terminal, texts } = parts;
  const program = new Command("langchain-cross-session-memory")
    .description(texts.description)
    .version(version(), "--version", texts.version)
    .helpOption("-h, --help", texts.help)
    .helpCommand(false)
    .option("--dir <folder>", texts.dir)
    .option("--user <id>", texts.user)
    .option("--json", texts.json)
    .addOption(new Option("--locale <name>", texts.locale).argParser((name) => checkedLocale(name, parts)))
    .option("--options <file>", texts.optionsFile)
    .option("--no-color", texts.noColor)
    .configureHelp({
      showGlobalOptions: false,
      helpWidth: terminal.width,
      styleTitle: (title) => terminal.paint("bold", texts.titles[title] ?? title),
    })
    // What the parser has to say is said where all errors are.
    .configureOutput({ writeErr: () => {}, getOutHasColors: () => true })
    .exitOverride();
  addMemoryCommands(program, parts);
  addOneMemoryCommands(program, parts);
  addCandidateCommands(program, parts);
  addHistoryCommands(program, parts);
  addAssetCommands(program, parts, "rules");
  addAssetCommands(program, parts, "skills");
  addSettingsCommands(program, parts);
  addContextCommand(program, parts);
  addSessionCommands(program, parts);
  addUsageCommand(program, parts);
  addExtractCommand(program, parts);
  addCopyCommand(program, parts);
  addDoctorCommand(program, parts);
  addPanelCommand(program, parts);
  return program;
}

function checkedLocale(name: string, { texts }: CommandParts): string {
  if (Object.hasOwn(locales, name)) return name;
  throw new CliFault("ERR_USAGE", texts.wrongLocale, exitCodes.calledWrongly);
}
