import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type JsonMemoryStore,
  type MemoryItem,
  MemoryWorkspace,
  type WorkspaceOptions,
} from "../../src/index.js";
import { FixedClock } from "../support/clock.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import { ScriptedModel, type ScriptedReply } from "../support/scripted-model.js";
import { temporaryFolder } from "../support/temporary-folder.js";

export interface World {
  readonly dir: string;
  readonly workspace: MemoryWorkspace;
  readonly model: ScriptedModel;
  readonly logger: CollectingLogger;
  readonly clock: FixedClock;
  /** A turn of exactly so many characters. */
  turnOf(characters: number, session?: string): Promise<void>;
  /** A turn of these words, and all background work that comes of it. */
  say(text: string, options?: { answer?: string; session?: string }): Promise<void>;
  contents(): Promise<string[]>;
}

export interface WorldOptions extends WorkspaceOptions {
  readonly replies?: readonly ScriptedReply[];
  readonly clock?: FixedClock;
}

/** A workspace in a folder of its own, with a model that says what it is told to. */
export async function makeWorld({ replies = ["[]"], clock, ...options }: WorldOptions = {}): Promise<World> {
  const dir = options.dir ?? (await temporaryFolder());
  const model = new ScriptedModel(...replies);
  const logger = new CollectingLogger();
  const fixed = clock ?? new FixedClock();
  const workspace = new MemoryWorkspace({ model, logger, ...options, dir }, fixed);
  return {
    dir,
    workspace,
    model,
    logger,
    clock: fixed,
    turnOf: async (characters, session = "s1") => {
      const answer = "好的";
      const text = "话".repeat(characters - answer.length);
      await workspace.recordTurn(session, [
        ["human", text],
        ["ai", answer],
      ]);
      await workspace.idle();
    },
    say: async (text, { answer = "ok", session = "s1" } = {}) => {
      await workspace.recordTurn(session, [
        ["human", text],
        ["ai", answer],
      ]);
      await workspace.idle();
    },
    contents: async () => (await workspace.memories.list()).map(({ content }) => content),
  };
}

export function fact(content: string): string {
  return JSON.stringify([{ content }]);
}

/** Enough words to start an extraction by themselves. */
export const longTalk = "talk ".repeat(1000);

/** What a request says: the instruction, the known memories and the lines of the conversation. */
export function readRequest(model: ScriptedModel, index = -1) {
  const messages = model.requests.at(index) ?? [];
  const [system, user] = messages.map(({ content }) => String(content));
  const match =
    /^(?:(【已有记忆】|\[Known memories\])\n(.*)\n\n)?(?:【新对话】|\[New conversation\])\n([\s\S]*)$/.exec(
      user ?? "",
    );
  return {
    types: messages.map((message) => message.getType()),
    system: system ?? "",
    user: user ?? "",
    known: match?.[2] === undefined ? undefined : (JSON.parse(match[2]) as string[]),
    lines: (match?.[3] ?? "").split("\n").map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

export async function storedItems(dir: string): Promise<MemoryItem[]> {
  return JSON.parse(await readFile(join(dir, "memory", "memory.json"), "utf8")) as MemoryItem[];
}

export async function sessionRecord(store: JsonMemoryStore | MemoryWorkspace["store"], session = "s1") {
  return store.sessions.read(session);
}

/** A promise that a test settles. */
export function deferred<Value = void>() {
  let resolve!: (value: Value) => void;
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
