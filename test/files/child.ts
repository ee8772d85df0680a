/** A second process for the tests of this folder: `child <task> <path> <argument>`. Says on stdout how far it is. */
import { writeSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { AppendLog, readText, tryLock, withLock, writeAtomic } from "../../src/files/index.js";

const [, , task = "", path = "", argument = ""] = process.argv;

interface Note {
  readonly entryId: string;
  readonly text: string;
}

const log = new AppendLog<Note>(path, (value) => value as Note);
// Written at once: what is said must be out before a kill.
const say = (line: string) => writeSync(1, `${line}\n`);

const tasks: Record<string, () => Promise<void>> = {
  async hold() {
    await withLock(path, async () => {
      say("held");
      await setTimeout(600_000);
    });
  },
  async "hold-and-end"() {
    say((await tryLock(path)) === undefined ? "refused" : "held");
  },
  async add() {
    for (let count = 0; count < Number(argument); count++) {
      await withLock(path, async () => writeAtomic(path, String(Number((await readText(path)) ?? "0") + 1)));
    }
  },
  async "write-for-ever"() {
    for (let count = 0; ; count++) {
      await withLock(path, () => writeAtomic(path, JSON.stringify({ count, text: "x".repeat(200_000) })));
      if (count === 0) say("writing");
    }
  },
  async "write-beyond-limit"() {
    process.on("SIGXFSZ", () => {});
    const outcome = await withLock(path, () => writeAtomic(path, "n".repeat(Number(argument)))).then(
      () => "written",
      (error) => error.code,
    );
    say(outcome);
  },
  async "append-beyond-limit"() {
    process.on("SIGXFSZ", () => {});
    for (let count = 0; ; count++) {
      const outcome = await log.append([{ entryId: `limit-${count}`, text: "x".repeat(700) }]).then(
        () => "written",
        (error) => error.code,
      );
      say(`${count} ${outcome}`);
      if (outcome !== "written") return;
    }
  },
  async append() {
    for (let count = 0; ; count++) {
      const entryId = `${argument}-${count}`;
      await log.append([{ entryId, text: "some words of a turn ".repeat(count % 40) }]);
      say(entryId);
    }
  },
  async "replace-for-ever"() {
    for (let count = 0; ; count++) {
      await withLock(path, () => log.replace(() => true));
      if (count === 0) say("replacing");
    }
  },
};

await tasks[task]?.();
