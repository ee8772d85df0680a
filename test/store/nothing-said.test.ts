import { randomUUID } from "node:crypto";
import fs, { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inspect } from "node:util";
import { expect, it, vi } from "vitest";
import { CrossSessionMemory, type MemoryItem, MemoryWorkspace, type Settings } from "../../src/index.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import { providerError, ScriptedModel } from "../support/scripted-model.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** Stands for whatever a user wrote, said or stored. */
const marker = `MARKER${randomUUID().slice(0, 8)}`;
const fault = (code: string) => Object.assign(new Error(`${code}: ${marker}`), { code });

it("nothing that a user wrote, said or stored is in a log line, on the console or in an error", async () => {
  const dir = await temporaryFolder();
  const said: string[] = [];
  for (const name of ["log", "info", "warn", "error", "debug"] as const) {
    vi.spyOn(console, name).mockImplementation((...parts) => void said.push(inspect(parts, { depth: 9 })));
  }
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream);
    vi.spyOn(stream, "write").mockImplementation(((text: string, ...rest: never[]) => {
      said.push(String(text));
      return write(text, ...rest);
    }) as typeof stream.write);
  }
  const logger = new CollectingLogger();
  let reply: () => string = () => "[]";
  const model = new ScriptedModel(() => reply());
  const workspace = new MemoryWorkspace({ dir, model, logger, extractionTriggerChars: 1 });
  const errors: unknown[] = [];
  const drive = async (call: () => Promise<unknown>) => {
    await call().catch((error: unknown) => errors.push(error));
  };
  const at = (...parts: string[]) => join(dir, ...parts);
  const talk = async (words: string) => {
    await workspace.recordTurn("s", [
      ["human", `${marker} ${words}`],
      ["ai", `${marker} ok`],
    ]);
    await workspace.idle();
  };
  const readAll = async () => {
    await workspace.assembleContext({ sessionId: "s" });
    await drive(() => workspace.memories.list());
    await drive(() => workspace.sessions.list());
    await drive(() => workspace.rules.list());
  };
  await mkdir(at("memory"));
  await mkdir(at("rules"));
  await mkdir(at("chats"));

  // Broken files that hold the marker.
  for (const text of [
    `${marker}`,
    `{"${marker}":1}`,
    `[{"id":"1","content":"${marker}`,
    `["${marker}", null]`,
  ]) {
    await writeFile(at("memory", "memory.json"), text);
    await writeFile(at("settings.json"), text);
    await writeFile(at("memory", "waiting.jsonl"), `${text}\n`);
    await writeFile(at("memory", "extraction.json"), text);
    await writeFile(at("chats", "s.json"), text);
    await writeFile(at("chats", "s.jsonl"), `${text}\n`);
    await writeFile(at("rules", "a.md"), `---\n${marker}\n---\n${marker}`);
    await writeFile(at("rules", "b.md"), `---\nname: ${marker}\n`);
    await writeFile(at("rules", "c.md"), Buffer.from([0xff, 0xfe, ...Buffer.from(marker)]));
    await readAll();
    await talk("with broken files");
    await drive(() => workspace.memories.add(`${marker} added`));
    await drive(() => workspace.settings.update({ aiMemoryLimit: 20 }));
  }
  const wrong = { aiMemoryEnabled: marker, aiMemoryLimit: marker, aiRulesDisabled: [5, marker] };
  await writeFile(at("settings.json"), JSON.stringify(wrong));
  await readAll();
  await writeFile(at("settings.json"), JSON.stringify({ aiMemoryLimit: 5, [marker]: marker }));
  await readAll();

  // Calls that are refused.
  const item: MemoryItem = { id: "1", content: marker, createdAt: 1, sourceScope: "s" };
  const { memories, settings, rules } = workspace;
  await drive(() => memories.add(`${marker}${"x".repeat(200)}`));
  await drive(() => memories.add("fact", { sourceScope: [marker] as unknown as string }));
  await drive(() => memories.add({ marker } as unknown as string));
  await drive(() => memories.update("nobody", marker));
  await drive(() => memories.save([item, item]));
  await drive(() => memories.save([{ ...item, createdAt: marker as unknown as number }]));
  await drive(() => memories.save(marker as unknown as MemoryItem[]));
  await drive(() => settings.update({ aiRulesDisabled: marker } as unknown as Settings));
  await drive(() => settings.update({ [marker]: marker } as unknown as Settings));
  await drive(() => rules.setEnabled("a.md", marker as unknown as boolean));
  expect(errors.length).toBeGreaterThanOrEqual(10);

  // A model that fails and quotes what it was sent.
  for (const failing of [
    () => {
      throw new Error(marker);
    },
    () => {
      throw providerError(400, `bad request: ${marker}`);
    },
    () => {
      throw providerError(429, marker);
    },
    () => {
      throw fault("ECONNRESET");
    },
    () => `I can't: ${marker}`,
    () => `{"content": "${marker}`,
    () => `{"${marker}": "${marker}"}`,
  ]) {
    reply = failing;
    for (let times = 0; times < 4; times++) await talk(`failure ${times}`);
    await workspace.extractNow().then((result) => said.push(JSON.stringify(result)));
  }

  // A disk that refuses, at every door.
  reply = () => JSON.stringify([{ content: `${marker} learned ${randomUUID()}` }]);
  const chain = new CrossSessionMemory({ workspace, sessionId: marker.toLowerCase().slice(6) });
  for (const name of ["rename", "open", "readFile", "unlink", "mkdir"] as const) {
    const spy = vi.spyOn(fs, name).mockRejectedValue(fault("ENOSPC") as never);
    await readAll();
    await talk(`while ${name} fails`);
    await drive(() => chain.saveContext({ input: marker }, { output: marker }));
    await drive(() => chain.loadMemoryVariables({}));
    await drive(() => memories.add(`${marker} ${name}`));
    await drive(() => memories.clear());
    await drive(() => settings.update({ aiMemoryLimit: 30 }));
    await drive(() => workspace.waiting.clear());
    await drive(() => workspace.sessions.remove("s"));
    spy.mockRestore();
    await talk(`after ${name} failed`);
  }
  for (const path of ["memory/memory.json", "memory/waiting.jsonl", "settings.json", "chats/s.json"]) {
    await rm(at(path), { recursive: true, force: true });
    await mkdir(at(path), { recursive: true });
    await readAll();
    await talk("with a directory in the way");
    await drive(() => memories.add(`${marker} in the way`));
    await drive(() => settings.update({ aiMemoryLimit: 40 }));
    await rm(at(path), { recursive: true, force: true });
    await talk("with the way free");
  }

  // The faults that are stubbed hold the marker themselves: what is passed on of them is the file system's own.
  const ours = errors.filter((error) => !(error as Error).message.includes(`: ${marker}`));
  expect(logger.warnings.length).toBeGreaterThan(10);
  expect(logger.all).not.toContain(marker);
  expect(said.join("\n")).not.toContain(marker);
  for (const error of ours) {
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(marker);
    expect((error as { code?: unknown }).code).toEqual(expect.any(String));
  }
  // The marker did reach where it belongs.
  expect(model.prompts.join("\n")).toContain(marker);
  expect(await readFile(at("memory", "memory.json"), "utf8")).toContain(`${marker} learned`);
});
