import { mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CrossSessionMemory } from "../../src/index.js";
import { deferred, fact, longTalk, makeWorld } from "../extraction/world.js";
import { providerError } from "../support/scripted-model.js";

/** The files whose content, or name, holds the word. */
async function filesWith(dir: string, word: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const text = entry.isFile() ? await readFile(path, "utf8") : "";
    if ((text + path).includes(word)) found.push(path);
  }
  return found;
}

const talk = (text: string) => [
  { role: "user", content: text, id: "u1" },
  { role: "assistant", content: `You say ${text}`, id: "a1" },
];

describe("nothing of what was said is left on the disk", () => {
  it("of a temporary run, ids at most", async () => {
    const world = await makeWorld();
    await world.workspace.recordTurn("s", talk("SECRETWORD"), { isTemporary: true });
    await world.workspace.idle();
    expect(await filesWith(world.dir, "SECRETWORD")).toEqual([]);
    await world.workspace.recordTurn("s", talk("SECRETWORD"));
    await world.workspace.extractNow();
    expect(world.model.requests).toEqual([]);
    expect(await filesWith(world.dir, "SECRETWORD")).toEqual([]);
  });

  it("while memory is switched off", async () => {
    const world = await makeWorld();
    await world.workspace.settings.update({ aiMemoryEnabled: false });
    await world.workspace.recordTurn("s", talk("SECRETWORD"));
    await world.workspace.idle();
    expect(await filesWith(world.dir, "SECRETWORD")).toEqual([]);
  });

  it("after a session was removed: its queue, its history and its summary", async () => {
    const world = await makeWorld();
    const memory = new CrossSessionMemory({ workspace: world.workspace, sessionId: "s" });
    await memory.saveContext({ input: "SECRETWORD" }, { output: "SECRETWORD too" });
    expect(await filesWith(world.dir, "SECRETWORD")).not.toEqual([]);
    expect(await world.workspace.sessions.remove("s")).toBe(true);
    expect(await filesWith(world.dir, "SECRETWORD")).toEqual([]);
  });

  it("after `clear()` where memory.json is a link to a file elsewhere, which stays a link", async () => {
    const world = await makeWorld();
    const [link, elsewhere] = [join(world.dir, "memory", "memory.json"), join(world.dir, "elsewhere.json")];
    await mkdir(join(world.dir, "memory"));
    await symlink(elsewhere, link);
    await world.workspace.memories.add("Likes SECRETWORD");
    expect(await filesWith(world.dir, "SECRETWORD")).toEqual([elsewhere]);
    expect(await world.workspace.memories.clear()).toBe(1);
    expect(await filesWith(world.dir, "SECRETWORD")).toEqual([]);
    await world.workspace.memories.add("Likes tea");
    expect(await filesWith(world.dir, "Likes tea")).toEqual([elsewhere]);
  });

  it("after `clear({ waiting: true })`: neither memories nor what waits", async () => {
    const world = await makeWorld();
    await world.workspace.memories.add("Likes SECRETWORD");
    await world.workspace.recordTurn("s", talk("SECRETWORD"));
    await world.workspace.memories.clear({ waiting: true });
    expect(await filesWith(world.dir, "SECRETWORD")).toEqual([]);
  });

  it.each<[string, () => string | Error]>([
    ["answers", () => fact("Likes SECRETWORD")],
    ["fails", () => providerError(500)],
    ["refuses", () => providerError(400)],
  ])("after `deleteUser`, also where the model %s only then", async (_, answer) => {
    const asked = deferred();
    const reply = deferred();
    const world = await makeWorld({
      replies: [
        async () => {
          asked.resolve();
          await reply.promise;
          const said = answer();
          if (said instanceof Error) throw said;
          return said;
        },
      ],
    });
    const user = world.workspace.forUser("anna");
    await user.memories.add("Likes SECRETWORD");
    await user.recordTurn("s", talk(`SECRETWORD ${longTalk}`));
    await asked.promise;
    expect(await world.workspace.deleteUser("anna")).toBe(true);
    reply.resolve();
    await world.workspace.idle();
    expect(await filesWith(world.dir, "SECRETWORD")).toEqual([]);
    expect(await filesWith(world.dir, "anna")).toEqual([]);
  });
});
