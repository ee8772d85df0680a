/** Another process that shares the folder: `child <task> <dir> <argument>`. It says on stdout what it begins and what is done. */
import { randomUUID } from "node:crypto";
import { writeSync } from "node:fs";
import { type MemoryItem, MemoryWorkspace } from "../../src/index.js";
import { ScriptedModel } from "../support/scripted-model.js";
import { wordsIn } from "./words.js";

const [, , task = "", dir = "", argument = ""] = process.argv;

function say(line: string): void {
  writeSync(1, `${line}\n`);
}

/** Learns each word that it is sent, and says which were sent. */
const model = new ScriptedModel((messages) => {
  const words = wordsIn(String(messages.at(-1)?.content));
  say(`sent ${words.join(" ")}`);
  return JSON.stringify(words.map((word) => ({ content: `learned ${word}` })));
});

const workspace = new MemoryWorkspace({
  dir,
  model,
  limit: 1000,
  extractionTriggerChars: 200,
  logger: { warn: (line) => say(`warning ${line}`), error: (line) => say(`error ${line}`) },
});
const editor = workspace.forUser("editor").memories;

const anyOf = <Value>(values: readonly Value[]): Value | undefined =>
  values[Math.floor(Math.random() * values.length)];

async function did<Result>(what: string, act: () => Promise<Result>): Promise<Result> {
  say(`begin ${what}`);
  const result = await act();
  say(`done ${what}`);
  return result;
}

async function record(session = `s${Math.floor(Math.random() * 3)}`): Promise<void> {
  const word = `w${randomUUID()}`;
  await did(`record ${word}`, () =>
    workspace.recordTurn(session, [
      { role: "user", content: `I say ${word}`, id: randomUUID() },
      { role: "assistant", content: "ok", id: randomUUID() },
    ]),
  );
}

/** What a person does in the list, each with the contents that there are from then on. */
const edits: (() => Promise<unknown>)[] = [
  () => {
    const content = randomUUID();
    return did(`add ${content}`, () => editor.add(content));
  },
  async () => {
    const item = anyOf(await editor.list());
    const content = randomUUID();
    if (item) await did(`update ${item.content} ${content}`, () => editor.update(item.id, content));
  },
  async () => {
    const item = anyOf(await editor.list());
    if (item) await did(`remove ${item.content}`, () => editor.remove(item.id));
  },
  async () => {
    const kept = (await editor.list()).slice(1);
    const fresh: MemoryItem = {
      id: randomUUID(),
      content: randomUUID(),
      createdAt: 1,
      sourceScope: "global",
    };
    const items = [...kept, fresh];
    await did(`save ${items.map(({ content }) => content).join(" ")}`, () => editor.save(items));
  },
  () => did("clear", () => editor.clear()),
];

const tasks: Record<string, () => Promise<unknown>> = {
  /** Everything at once and without end, until it is killed. */
  async everything() {
    say("ready");
    const forever = async (act: () => Promise<unknown>) => {
      for (;;) await act();
    };
    await Promise.all([
      forever(async () => {
        const content = `by hand ${randomUUID()}`;
        await did(`hand ${content}`, () => workspace.memories.add(content));
      }),
      forever(async () => {
        await record();
        await record();
        await workspace.extractNow();
      }),
      forever(async () => edits[Math.random() < 0.05 ? 4 : Math.floor(Math.random() * 4)]?.()),
    ]);
  },
  /** A fixed number of turns, additions and removals of its own facts. */
  async share() {
    for (let round = 0; round < Number(argument); round++) {
      await record();
      const kept = await workspace.memories.add(`kept ${randomUUID()}`);
      say(`kept ${kept.content}`);
      const gone = await workspace.memories.add(`gone ${randomUUID()}`);
      await workspace.memories.remove(gone.id);
    }
    await workspace.idle();
  },
  async "clear-sometimes"() {
    for (let round = 0; round < Number(argument); round++) {
      await record();
      await editor.add(randomUUID());
      await editor.clear();
      say(`left ${(await editor.list()).length}`);
    }
    await workspace.idle();
  },
  /** Turns of one session, the same in every process that is given it. */
  async session() {
    for (let round = 0; round < Number(argument); round++) await record("one session");
    await workspace.idle();
  },
  async "add-until-refused"() {
    for (let number = 0; ; number++) {
      try {
        await workspace.memories.add(`${number} ${"事实".repeat(70)}`);
        say(`added ${number}`);
      } catch (error) {
        say(`refused ${(error as { code?: string }).code}`);
        return;
      }
    }
  },
  /** A container: its process has the id that every container's first has, and its clock stands at the same moment. */
  async contain() {
    Object.defineProperty(process, "pid", { value: 1 });
    const { memories } = new MemoryWorkspace(
      { dir, limit: 1000, logger: { warn: say, error: say } },
      { now: () => 1_800_000_000_000, randomUUID },
    );
    for (let number = 0; number < 20; number++) await memories.add(`${argument} ${number}`);
  },
  /** A person and a conversation in a folder that may not let itself be written. */
  async converse() {
    say(`user ${process.getuid?.()}`);
    for (let round = 0; round < 3; round++) {
      const { text } = await workspace.assembleContext({ sessionId: "s" });
      say(`context ${JSON.stringify(text)}`);
      await record("s");
    }
    const refused = await workspace.memories.add("a new fact").then(
      () => "nothing",
      (error: { code?: string }) => error.code,
    );
    say(`refused ${refused}`);
    say(`extracted ${JSON.stringify(await workspace.extractNow())}`);
  },
};

await tasks[task]?.();
