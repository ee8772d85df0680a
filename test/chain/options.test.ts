import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CrossSessionMemory } from "../../src/index.js";
import { chainWorld } from "./world.js";

test.each<[string, object, string, RegExp]>([
  [
    "an unknown key",
    { memorykey: "x" },
    "ERR_OPTION_UNKNOWN",
    /^unknown option "memorykey"; known are .*memoryKey/,
  ],
  [
    "a wrong type",
    { returnMessages: "yes" },
    "ERR_OPTION_TYPE",
    /^returnMessages must be true or false, got "yes"$/,
  ],
  ["an empty key", { memoryKey: "" }, "ERR_OPTION_RANGE", /^memoryKey must be a non-empty string/],
  ["an empty session id", { sessionId: "" }, "ERR_OPTION_RANGE", /^sessionId must be/],
  ["a number as session id", { sessionId: 7 }, "ERR_OPTION_TYPE", /^sessionId must be .*got 7$/],
  ["a history without methods", { chatHistory: {} }, "ERR_OPTION_TYPE", /^chatHistory must be/],
  [
    "what is no workspace",
    { workspace: { dir: "." } },
    "ERR_OPTION_TYPE",
    /^workspace must be a MemoryWorkspace/,
  ],
  ["a context that is no text", { sessionContext: 7 }, "ERR_OPTION_TYPE", /^sessionContext must be/],
  ["a plan that is no text", { planContext: [] }, "ERR_OPTION_TYPE", /^planContext must be/],
  [
    "a wrong option of the workspace",
    { limit: 5 },
    "ERR_OPTION_RANGE",
    /^limit must be an integer from 10 to 1000, got 5$/,
  ],
  [
    "half a rolling summary",
    { rollingSummary: { triggerChars: 5 } },
    "ERR_OPTION_TYPE",
    /^rollingSummary\.keepMessages must be an integer from 0 to 10000, got undefined$/,
  ],
  [
    "a rolling summary with an unknown key",
    { rollingSummary: { triggerChars: 5, keepMessages: 2, model: 1 } },
    "ERR_OPTION_UNKNOWN",
    /rollingSummary\.model/,
  ],
  [
    "a rolling summary without a model",
    { rollingSummary: { triggerChars: 5, keepMessages: 2 } },
    "ERR_OPTION_RANGE",
    /^rollingSummary must be used with a model/,
  ],
])("%s throws at construction, with a code, naming option and value", (_, options, code, message) => {
  const construct = () => new CrossSessionMemory(options as never);
  expect(construct).toThrow(message);
  expect(construct).toThrow(expect.objectContaining({ code }));
});

test("an option of the workspace beside a workspace throws: it would be ignored", async () => {
  const { workspace, dir } = await chainWorld();
  expect(() => new CrossSessionMemory({ workspace, dir })).toThrow(
    /^dir must be given to the workspace itself/,
  );
});

test("a workspace in place of the options throws, and says how it is given", async () => {
  const { workspace } = await chainWorld();
  expect(() => new CrossSessionMemory(workspace as never)).toThrow(
    /^options must be an object such as \{ workspace \}/,
  );
});

test.each([null, [], "dir"])("options that are no object (%j) throw a TypeError", (options) => {
  expect(() => new CrossSessionMemory(options as never)).toThrow(TypeError);
});

test("undefined options are as good as none, and constructing touches no disk", async () => {
  const { dir } = await chainWorld();
  const memory = new CrossSessionMemory({
    dir: join(dir, "ai"),
    model: undefined,
    sessionId: undefined,
    rollingSummary: undefined,
    workspace: undefined,
  });
  expect(memory.workspace).toBeDefined();
  expect(existsSync(join(dir, "ai"))).toBe(false);
});
