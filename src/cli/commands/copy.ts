import { readFile } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Command } from "commander";
import { isStoreLike } from "../../memory/langgraph-base-store.js";
import { LangGraphMemoryStore } from "../../memory/langgraph-memory-store.js";
import type { MemoryStore } from "../../memory/memory-store.js";
import { type CopyCount, type CopyProgress, MemoryWorkspace } from "../../workspace/index.js";
import { CliFault, exitCodes } from "../cli-fault.js";
import { type CommandParts, openWorkspace } from "../command-context.js";

interface CopyCommandOptions {
  readonly from?: string;
  readonly users?: string;
}

/** So many steps of one part are made between two lines that say how far it is. */
const stepsBetweenLines = 500;

export function addCopyCommand(program: Command, parts: CommandParts): void {
  const { terminal, texts } = parts;
  program
    .command("copy")
    .description(texts.copy)
    .helpOption("-h, --help", texts.help)
    .argument("<target>", texts.argumentHome)
    .option("--from <home>", texts.copyFrom)
    .option("--users <file>", texts.copyUsers)
    .action(async (target: string, { from, users }: CopyCommandOptions, command: Command) => {
      const { app } = await openWorkspace(command, parts);
      const { user } = command.optsWithGlobals<{ user?: string }>();
      const source = from === undefined ? app : await openHome(from, parts);
      const destination = await openHome(target, parts);
      const userIds = users === undefined ? [] : await readUserIds(users, parts);
      const places =
        user === undefined
          ? [{ from: source, to: destination }, ...userIds.map((id) => ofUser(source, destination, id))]
          : [ofUser(source, destination, user)];
      let total: CopyCount | undefined;
      for (const place of places) {
        const count = await place.from.copyTo(place.to, { onProgress: progressLines(parts) });
        total = total === undefined ? count : sum(total, count);
      }
      await Promise.all([app, source, destination].map((one) => one.close()));
      if (terminal.asJson) return terminal.json(total);
      terminal.line(texts.copied(total as CopyCount));
    });
}

function ofUser(source: MemoryWorkspace, destination: MemoryWorkspace, id: string) {
  return { from: source.forUser(id), to: destination.forUser(id) };
}

/** Says how far each part is, when it is done and now and then before. */
function progressLines({ terminal, texts }: CommandParts): (progress: CopyProgress) => void {
  return ({ part, done, total }) => {
    if (terminal.asJson || total === 0) return;
    if (done === total || done % stepsBetweenLines === 0) terminal.line(texts.copying(part, done, total));
  };
}

/** A folder, or a module whose default export is a store. */
async function openHome(home: string, { terminal, texts }: CommandParts): Promise<MemoryWorkspace> {
  const warn = (message: string) => terminal.error(texts.warning(message));
  const logger = { warn, error: warn };
  if (![".mjs", ".js", ".cjs"].includes(extname(home))) return new MemoryWorkspace({ dir: home, logger });
  return new MemoryWorkspace({ store: await readStore(home, texts.wrongHome(home)), logger });
}

async function readStore(path: string, fault: string): Promise<MemoryStore> {
  let store: unknown;
  try {
    const module = (await import(pathToFileURL(resolve(path)).href)) as { default?: unknown };
    store = await module.default;
  } catch {
    // What the module threw may hold the address of a database, password included.
    throw new CliFault("ERR_HOME", fault, exitCodes.calledWrongly);
  }
  if (isStoreLike(store)) return new LangGraphMemoryStore(store);
  if (typeof (store as Partial<MemoryStore> | undefined)?.forUser === "function") return store as MemoryStore;
  throw new CliFault("ERR_HOME", fault, exitCodes.calledWrongly);
}

/** One a line. */
async function readUserIds(path: string, { texts }: CommandParts): Promise<string[]> {
  try {
    return (await readFile(path, "utf8")).split(/\r?\n/u).filter((line) => line !== "");
  } catch {
    throw new CliFault("ERR_USERS_FILE", texts.wrongUsersFile(path), exitCodes.calledWrongly);
  }
}

function sum(left: CopyCount, right: CopyCount): CopyCount {
  const entries = Object.entries(left) as [keyof CopyCount, number][];
  return Object.fromEntries(
    entries.map(([part, count]) => [part, count + right[part]]),
  ) as unknown as CopyCount;
}
