import { readdir, readFile, utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MemoryWorkspace } from "../../src/index.js";
import { useChild } from "../files/child-process.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import { ScriptedModel } from "../support/scripted-model.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { isLong, wordsIn } from "./words.js";

const start = useChild("test/faults/child.ts");

const folders = isLong ? 10 : 1;
const killsInEach = 20;

it(
  `${folders * killsInEach} processes killed at random moments lose nothing that they acknowledged`,
  async () => {
    for (let folder = 0; folder < folders; folder++) {
      const dir = await temporaryFolder();
      const said = new Said();
      let most = 0;
      for (let kill = 0; kill < killsInEach; kill++) {
        const child = start("everything", dir);
        await child.started();
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 400));
        await child.kill();
        said.read(child.lines);
        await wholeFiles(dir);
        most = Math.max(most, (await leftovers(dir)).length);
        await letTimePass(dir);
      }
      // A live writer leaves one temporary for each file; more would be a pile.
      expect(most).toBeLessThan(30);

      const model = new ScriptedModel((messages) =>
        JSON.stringify(
          wordsIn(String(messages.at(-1)?.content)).map((word) => ({ content: `learned ${word}` })),
        ),
      );
      const logger = new CollectingLogger();
      const workspace = new MemoryWorkspace({ dir, model, logger, limit: 1000 });
      expect(await workspace.extractNow()).toMatchObject({ remaining: 0 });
      const contents = (await workspace.memories.list()).map(({ content }) => content);
      expect(new Set(contents).size).toBe(contents.length);
      expect(contents).toEqual(expect.arrayContaining(said.byHand));
      for (const word of said.words) expect(contents).toContain(`learned ${word}`);
      said.checkEdited((await workspace.forUser("editor").memories.list()).map(({ content }) => content));

      await workspace.memories.add("one more save of each");
      await workspace.forUser("editor").memories.add("one more save of each");
      // The guard of a process that was killed while it took over a lock: one empty folder for a file, which holds
      // nobody up and is used again by the next.
      const isGuard = (name: string) => name.endsWith(".lock.stale");
      const left = (await leftovers(dir)).filter((name) => name.includes("memory.json") && !isGuard(name));
      expect(left).toEqual([]);
      expect(logger.all).toBe("");
      expect(said.words.length + said.byHand.length).toBeGreaterThan(killsInEach);
    }
  },
  isLong ? 3_000_000 : 300_000,
);

it("the lock of a killed process holds the next one up for no more than a few seconds", async () => {
  const dir = await temporaryFolder();
  const isLocked = async () => (await leftovers(dir)).includes(".memory.json.lock");
  do {
    const child = start("everything", dir);
    await child.started();
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 200));
    await child.kill();
  } while (!(await isLocked()));
  const before = performance.now();
  await new MemoryWorkspace({ dir, logger: new CollectingLogger() }).memories.add("after the kill");
  // It runs out after 5 s; the rest is for a machine that is busy.
  expect(performance.now() - before).toBeLessThan(15_000);
});

/** What a process said that it had done; what it had only begun may be there or not. */
class Said {
  readonly words: string[] = [];
  readonly byHand: string[] = [];
  #edited = new Set<string>();
  readonly #uncertain = new Set<string>();

  read(lines: readonly string[]): void {
    const open = new Set<string>();
    for (const line of lines) {
      const [phase, ...rest] = line.split(" ");
      const what = rest.join(" ");
      if (phase === "begin") open.add(what);
      if (phase === "done") {
        open.delete(what);
        this.#done(what);
      }
      if (phase === "error") throw new Error(line);
    }
    for (const what of open) this.#begun(what);
  }

  #done(what: string): void {
    const [act, ...values] = what.split(" ");
    if (act === "record") this.words.push(...values);
    if (act === "hand") this.byHand.push(values.join(" "));
    if (act === "add") this.#edited.add(values[0] ?? "");
    if (act === "update") {
      this.#edited.delete(values[0] ?? "");
      this.#edited.add(values[1] ?? "");
    }
    if (act === "remove") this.#edited.delete(values[0] ?? "");
    if (act === "save") this.#edited = new Set(values);
    if (act === "clear") this.#edited.clear();
  }

  #begun(what: string): void {
    const [act, ...values] = what.split(" ");
    const touched = act === "clear" || act === "save" ? [...this.#edited, ...values] : values;
    if (act !== "record" && act !== "hand") for (const value of touched) this.#uncertain.add(value);
  }

  checkEdited(contents: readonly string[]): void {
    const certain = (content: string) => !this.#uncertain.has(content);
    expect(contents.filter(certain).sort()).toEqual([...this.#edited].filter(certain).sort());
  }
}

/** Whole files are whole, and of an appended one no line but the last is torn, and that is mended by the next. */
async function wholeFiles(dir: string): Promise<void> {
  for (const path of await files(dir)) {
    const isOurs = !path.split("/").at(-1)?.startsWith(".");
    if (isOurs && path.endsWith(".json")) JSON.parse(await readFile(path, "utf8"));
    if (isOurs && path.endsWith(".jsonl")) {
      const lines = (await readFile(path, "utf8")).split("\n").slice(0, -1);
      for (const line of lines.slice(0, -1)) expect(() => JSON.parse(line)).not.toThrow();
    }
  }
  expect((await files(dir)).filter((path) => path.includes("corrupt"))).toEqual([]);
}

async function leftovers(dir: string): Promise<string[]> {
  const names = await readdir(dir, { recursive: true });
  return names.map((name) => name.split("/").at(-1) ?? "").filter((name) => name.startsWith("."));
}

async function files(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** As if the next process came a minute later: what was left is old enough to be swept, and no lock is waited for. */
async function letTimePass(dir: string): Promise<void> {
  const before = new Date(Date.now() - 60_000);
  for (const name of await readdir(dir, { recursive: true })) {
    if (name.split("/").at(-1)?.startsWith(".")) await utimes(join(dir, name), before, before);
  }
}
