import { RunnableLambda } from "@langchain/core/runnables";
import { MemoryWorkspace, withCrossSessionMemory } from "../../src/index.js";
import { ScriptedModel } from "../support/scripted-model.js";

/** Breaks off, aborts and fails turns, with an extraction that fails too; whatever is left unhandled ends this process. */
const [dir = "", ...words] = process.argv.slice(2);
const workspace = new MemoryWorkspace({
  dir,
  model: new ScriptedModel(new Error("no extraction today")),
  extractionTriggerChars: 1,
  locale: "en",
  logger: { warn: () => {}, error: () => {} },
});
const spelling = RunnableLambda.from(async function* (values: { input: string }) {
  for (const piece of values.input) {
    if (piece === "!") throw new Error("broken off");
    yield piece;
  }
} as never) as unknown as RunnableLambda<{ input: string }, string>;
const chat = withCrossSessionMemory(spelling, { workspace, sessionId: "s" });

let rejections = 0;
let answers = 0;
async function attempt(turn: () => Promise<unknown>): Promise<void> {
  try {
    await turn();
    answers++;
  } catch {
    rejections++;
  }
}

for (const word of words.length > 0 ? words : ["one", "two"])
  await attempt(() => chat.invoke({ input: word }));
for await (const _ of await chat.stream({ input: "0123456789" })) break;
const abort = new AbortController();
await attempt(async () => {
  for await (const _ of await chat.stream({ input: "0123456789" }, { signal: abort.signal })) abort.abort();
});
await attempt(async () => {
  for await (const _ of await chat.stream({ input: "01!" }));
});
await attempt(() => chat.invoke({ input: "!" }));
await workspace.close();
console.log(`rejections: ${rejections}, answers: ${answers}`);
