/**
 * A `ConversationChain` that remembers across sessions: all it needs is another `memory`.
 *
 *     npm run build && node examples/conversation-chain.mjs
 */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConversationChain } from "@langchain/classic/chains";
import { CrossSessionMemory, MemoryWorkspace } from "langchain-cross-session-memory";
import { openModel } from "./model.mjs";

const { model, name, close } = await openModel();
console.log(`model: ${name}`);

// One workspace an app. An app keeps its folder (default ./ai); the example takes a fresh one.
const dir = await mkdtemp(join(tmpdir(), "cross-session-memory-"));
const workspace = new MemoryWorkspace({ dir, model, locale: "en" });

const monday = new ConversationChain({ llm: model, memory: new CrossSessionMemory({ workspace }) });
await monday.invoke({ input: "Hi! Our project uses pnpm and never npm, because of the lockfile." });

// By itself this happens in the background, once 4000 characters have gathered.
await workspace.extractNow();

// Another session: nothing of Monday's conversation is in it, only what was learned.
const tuesday = new ConversationChain({ llm: model, memory: new CrossSessionMemory({ workspace }) });
const { response } = await tuesday.invoke({ input: "Which package manager does our project use?" });
console.log(response);

console.log(`files: ${dir}`);
await workspace.close();
await close();
