/**
 * What an app does with the package, in little, each as a sentence and a function that throws where it isn't so. It gets
 * all libraries as the app has loaded them, by `import` or by `require`.
 */
import assert from "node:assert/strict";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const said = "Our project uses pnpm and never npm, because of the lockfile.";
const asked = "Which package manager does our project use?";

export const uses = {
  "a chain's memory knows in the second session what was said in the first": async (app) => {
    const { HumanMessage } = app.messages;
    const { CrossSessionMemory } = app.root;
    const { model, workspace } = await open(app);
    const say = async (input) => {
      const memory = new CrossSessionMemory({ workspace, returnMessages: true });
      const { history } = await memory.loadMemoryVariables({ input });
      const answer = await model.invoke([...history, new HumanMessage(input)]);
      await memory.saveContext({ input }, { output: answer });
      return answer.text ?? answer.content;
    };
    await say(said);
    assert.deepEqual(await workspace.extractNow(), { requests: 1, stored: 1, remaining: 0 });
    assert.match(await say(asked), /pnpm/);
    await workspace.close();
  },

  "an LCEL chain streams its answer and knows it too": async (app) => {
    const { model, workspace } = await open(app);
    const prompt = app.prompts.ChatPromptTemplate.fromMessages([
      ["system", "You are a helpful assistant."],
      ["placeholder", "{history}"],
      ["human", "{input}"],
    ]);
    const chain = prompt.pipe(model).pipe(new app.outputParsers.StringOutputParser());
    const chat = app.root.withCrossSessionMemory(chain, { workspace });
    const say = async (thread_id, input) => {
      const pieces = [];
      for await (const piece of await chat.stream({ input }, { configurable: { thread_id } }))
        pieces.push(piece);
      assert.ok(pieces.length > 2, "the answer came in one piece");
      return pieces.join("");
    };
    await say("monday", said);
    assert.equal((await workspace.extractNow()).stored, 1);
    assert.match(await say("tuesday", asked), /pnpm/);
    assert.match(await chat.invoke({ input: asked }, { configurable: { thread_id: "friday" } }), /pnpm/);
    await workspace.close();
  },

  "an agent without a checkpointer learns from what is said": async (app) => {
    const { model, workspace } = await open(app);
    const agent = app.langchain.createAgent({
      model,
      tools: [],
      systemPrompt: "You are a helpful assistant.",
      middleware: [app.middleware.crossSessionMemoryMiddleware(workspace)],
    });
    await ask(agent, "monday", said);
    assert.equal((await workspace.waiting.count()).messages, 2);
    assert.equal((await workspace.extractNow()).stored, 1);
    assert.match(await ask(agent, "tuesday", asked), /pnpm/);
    assert.match(await ask(agent, undefined, asked), /pnpm/);
    await workspace.close();
  },

  "an agent with a checkpointer and tools remembers at once, in every thread": async (app) => {
    const { model, workspace } = await open(app);
    const agent = app.langchain.createAgent({
      model,
      tools: app.tools.createMemoryTools(workspace),
      checkpointer: new app.langgraph.MemorySaver(),
      middleware: [app.middleware.crossSessionMemoryMiddleware({ workspace })],
    });
    await ask(agent, "monday", "Please remember that the release day of our project is Thursday.");
    await ask(agent, "monday", "Thank you.");
    assert.equal((await workspace.memories.list()).length, 1);
    assert.match(await ask(agent, "tuesday", "What is the release day of our project?"), /Thursday/);
    assert.equal((await workspace.waiting.count()).messages, 6);
    await workspace.close();
  },

  "an agent's stream shows its words and nothing of the extraction": async (app) => {
    const { model, workspace } = await open(app, { extractionTriggerChars: 60 });
    const agent = app.langchain.createAgent({
      model,
      tools: [],
      middleware: [app.middleware.crossSessionMemoryMiddleware(workspace)],
    });
    const run = { configurable: { thread_id: "monday" }, streamMode: "messages" };
    let shown = "";
    for await (const [chunk] of await agent.stream({ messages: [{ role: "user", content: said }] }, run)) {
      shown += chunk.content;
    }
    await workspace.idle();
    assert.match(shown, /^Noted \(\d+ characters\)\.$/);
    assert.equal((await workspace.memories.list()).length, 1);
    await workspace.close();
  },

  "an agent's turn that waits for a person is recorded once, when it has gone on": async (app) => {
    const { model, workspace } = await open(app);
    const agent = app.langchain.createAgent({
      model,
      tools: app.tools.createMemoryTools(workspace),
      checkpointer: new app.langgraph.MemorySaver(),
      middleware: [
        app.langchain.humanInTheLoopMiddleware({ interruptOn: { remember: true } }),
        app.middleware.crossSessionMemoryMiddleware(workspace),
      ],
    });
    const run = { configurable: { thread_id: "monday" } };
    const wish = { messages: [{ role: "user", content: "Please remember that our team meets on Fridays." }] };
    const stopped = await agent.invoke(wish, run);
    assert.equal(stopped.__interrupt__.length, 1);
    assert.equal((await workspace.waiting.count()).messages, 0);
    await agent.invoke(new app.langgraph.Command({ resume: { decisions: [{ type: "approve" }] } }), run);
    assert.equal((await workspace.memories.list()).length, 1);
    assert.equal((await workspace.waiting.count()).messages, 2);
    await workspace.close();
  },

  "LangGraph's own store holds the memories": async (app) => {
    const store = new app.root.LangGraphMemoryStore(new app.langgraph.InMemoryStore());
    const { workspace } = await open(app, { store });
    await workspace.memories.add("The user prefers zsh.");
    assert.match((await workspace.assembleContext()).text, /zsh/);
    await workspace.close();
  },

  "the settings page is served": async (app) => {
    const { workspace } = await open(app);
    const panel = app.panel.createMemoryPanel(workspace, { authorize: () => ({ canManageAssets: true }) });
    const response = await panel(new Request("http://127.0.0.1/memory"));
    assert.equal(response.status, 200);
    assert.match(await response.text(), /<html/);
    await workspace.close();
  },
};

async function open({ openai, root }, options = {}) {
  const model = new openai.ChatOpenAI({
    model: "stand-in-model",
    apiKey: "none",
    configuration: { baseURL: process.env.OPENAI_BASE_URL },
    maxRetries: 0,
  });
  const dir = await mkdtemp(join(tmpdir(), "installed-"));
  const logger = { warn: refuse, error: refuse };
  return { model, workspace: new root.MemoryWorkspace({ dir, model, locale: "en", logger, ...options }) };
}

/** No use here gives rise to a warning, but for the session that has no name. */
function refuse(message) {
  if (!/global/.test(message)) throw new Error(`warned: ${message}`);
}

async function ask(agent, thread_id, content) {
  const { messages } = await agent.invoke(
    { messages: [{ role: "user", content }] },
    { configurable: { thread_id } },
  );
  return messages.at(-1).content;
}

/** Tries each, says which were so, and ends with status 1 where one wasn't. */
export async function tryAll(app) {
  for (const [sentence, use] of Object.entries(uses)) {
    try {
      await use(app);
      console.log(sentence);
    } catch (error) {
      console.error(`${sentence}: not so\n`, error);
      process.exitCode = 1;
    }
  }
}
