import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { type Locale, type LocaleName, locales } from "../locales/index.js";
import type { CliTexts } from "../locales/people-cli.js";
import type { ChatModel } from "../memory/extraction/chat-model.js";
import { MemoryWorkspace, type WorkspaceOptions } from "../workspace/index.js";
import { CliFault, exitCodes } from "./cli-fault.js";
import type { Terminal } from "./terminal.js";

/** What every command gets. */
export interface CommandParts {
  readonly host: NodeJS.Process;
  readonly terminal: Terminal;
  readonly locale: LocaleName;
  readonly texts: CliTexts;
  readonly setExitCode: (code: number) => void;
}

export interface OpenWorkspaceOptions {
  readonly model?: ChatModel | undefined;
  /** Takes the workspace's warnings in place of standard error. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

export function peopleTexts({ locale }: CommandParts): Locale["people"] {
  return locales[locale].people;
}

/** The app's workspace and, with `--user`, that user's. */
export async function openWorkspace(
  command: Command,
  parts: CommandParts,
  { model, onWarning }: OpenWorkspaceOptions = {},
): Promise<{ readonly app: MemoryWorkspace; readonly workspace: MemoryWorkspace }> {
  const { dir, user, locale, options: optionsFile } = command.optsWithGlobals<GlobalOptions>();
  const warn = onWarning ?? ((message: string) => parts.terminal.error(parts.texts.warning(message)));
  const logger = { warn: withoutPrefix(warn), error: withoutPrefix(warn) };
  const app = new MemoryWorkspace({
    // What the app injects is in its own language, not in that of whoever looks.
    ...(locale !== undefined && { locale: locale as LocaleName }),
    ...(optionsFile !== undefined && (await readOptions(optionsFile, parts))),
    ...(dir !== undefined && { dir }),
    ...(model !== undefined && { model }),
    logger,
  });
  return { app, workspace: user === undefined ? app : app.forUser(user) };
}

interface GlobalOptions {
  readonly dir?: string;
  readonly user?: string;
  readonly locale?: string;
  readonly options?: string;
}

async function readOptions(path: string, { texts }: CommandParts): Promise<WorkspaceOptions> {
  const fault = new CliFault("ERR_OPTIONS_FILE", texts.wrongOptionsFile(path), exitCodes.calledWrongly);
  try {
    const options: unknown = JSON.parse(await readFile(path, "utf8"));
    if (typeof options === "object" && options !== null && !Array.isArray(options)) return options;
  } catch {
    // Missing and broken are the same to whoever named it: this is not a file of options.
    throw fault;
  }
  throw fault;
}

function withoutPrefix(warn: (message: string) => void): (message: string) => void {
  return (message) => warn(message.replace(/^\[cross-session-memory\] /u, ""));
}
