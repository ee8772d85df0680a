import { PostgresStore } from "@langchain/langgraph-checkpoint-postgres/store";
import { type ChatModel, MemoryWorkspace } from "../../src/index.js";
import { LangGraphMemoryStore } from "../../src/memory/langgraph-memory-store.js";
import type { ChildRequest, ChildSetup, ChildTurn } from "./child-messages.js";

/**
 * One process of an app: takes any turn of any user that it is told to, and says when the turn is acknowledged. Its model is
 * a server in the parent, which so knows what was sent, whoever dies.
 */
const { url, schema, modelUrl, dir } = JSON.parse(process.argv[2] ?? "{}") as ChildSetup;

const model = {
  invoke: async (messages: { content: unknown }[]) => {
    const body = JSON.stringify({ process: process.pid, prompt: String(messages.at(-1)?.content) });
    const response = await fetch(modelUrl, { method: "POST", body });
    return { content: await response.text() };
  },
} as unknown as ChatModel;

const base = new PostgresStore({ connectionOptions: { connectionString: url, max: 4 }, schema });
const workspace = new MemoryWorkspace({
  dir,
  model,
  store: new LangGraphMemoryStore(base),
  extractionTriggerChars: 300,
  extractionChunkChars: 600,
  limit: 1000,
  locale: "en",
});

process.on("message", (request: ChildRequest) => {
  const { number, turn, isEnd } = request;
  if (isEnd === true) void end();
  else {
    const work = turn === undefined ? workspace.idle().then(() => "") : take(turn);
    void work.then(
      (context) => process.send?.({ number, context }),
      (error) => process.send?.({ number, failure: String(error) }),
    );
  }
});
process.send?.({ ready: true });

async function end(): Promise<void> {
  await workspace.close();
  await base.stop();
  process.disconnect();
}

async function take({ user, session, messages }: ChildTurn): Promise<string> {
  const ofUser = workspace.forUser(user);
  const { text } = await ofUser.assembleContext({ sessionId: session });
  await ofUser.recordTurn(session, messages);
  return text;
}
