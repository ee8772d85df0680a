import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle } from "../support/bundle.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { fact, longTalk, makeWorld, readRequest, sessionRecord } from "./world.js";

let child: Awaited<ReturnType<typeof bundle>>;

beforeAll(async () => {
  child = await bundle("test/extraction/child.ts");
});

afterAll(() => child.remove());

function start(what: string, dir: string, ...nodeOptions: string[]) {
  const process_: ChildProcess = spawn(process.execPath, [...nodeOptions, child.file, what, dir], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [process_.stdout, process_.stderr])
    stream?.on("data", (chunk) => (output += String(chunk)));
  const ended = once(process_, "close").then(([code]) => ({
    code: code as number | null,
    output: output.trim(),
  }));
  const says = (text: string) => expect.poll(() => output, { timeout: 30_000 }).toContain(text);
  return { ended, says, kill: (signal: NodeJS.Signals) => process_.kill(signal) };
}

describe("other processes", () => {
  it("a `clear` in another process, while the model is asked, discards the result", async () => {
    const dir = await temporaryFolder();
    const world = await makeWorld({
      dir,
      replies: [
        async () => {
          const { output } = await start("clear", dir).ended;
          expect(output).toBe("cleared 1");
          return fact("Likes tea");
        },
      ],
    });
    await world.workspace.memories.add("old");
    await world.say(longTalk);
    expect(await world.contents()).toEqual([]);
    expect(await world.workspace.waiting.count()).toMatchObject({ messages: 0 });
  });

  it.each(["SIGKILL", "SIGTERM"] as const)(
    "%s during an extraction: after a restart the same turn goes, once",
    async (signal) => {
      const dir = await temporaryFolder();
      const other = start("hang in an extraction", dir);
      await other.says("asked");
      other.kill(signal);
      await other.ended;

      const world = await makeWorld({ dir, replies: [fact("Likes tea")] });
      expect((await sessionRecord(world.workspace.store))?.extractedUpTo).toBeUndefined();
      // The lease of the killed process runs out by itself.
      expect(await world.workspace.extractNow()).toEqual({ requests: 1, stored: 1, remaining: 0 });
      expect(readRequest(world.model).lines.map(({ content }) => content)).toEqual([longTalk, "ok"]);
      expect((await sessionRecord(world.workspace.store))?.extractedUpTo).toBe("a1");
    },
  );

  it("a turn of a new process, right after a kill, is not in vain: its permit waits for the lease", async () => {
    const dir = await temporaryFolder();
    const other = start("hang in an extraction", dir);
    await other.says("asked");
    other.kill("SIGKILL");
    await other.ended;
    const world = await makeWorld({ dir, replies: [fact("Likes tea")] });
    await world.say("hello again");
    expect(await world.contents()).toEqual(["Likes tea"]);
  });

  it("a process that just ends loses nothing, and no timer of ours holds it open", async () => {
    const dir = await temporaryFolder();
    expect(await start("end with an extraction under way", dir).ended).toEqual({
      code: 0,
      output: "recorded",
    });
    const world = await makeWorld({ dir, replies: [fact("Likes tea")] });
    expect(await world.workspace.extractNow()).toEqual({ requests: 1, stored: 1, remaining: 0 });
  });

  it("`idle` holds the process until the work is done", async () => {
    expect(await start("wait for idle", await temporaryFolder()).ended).toEqual({
      code: 0,
      output: "stored 1",
    });
  });

  it("with strict unhandled rejections: model, store and logger fail in every way, and the process lives", async () => {
    const { code, output } = await start(
      "fail in every way",
      await temporaryFolder(),
      "--unhandled-rejections=strict",
    ).ended;
    expect({ code, output }).toEqual({ code: 0, output: "alive" });
  });
});
