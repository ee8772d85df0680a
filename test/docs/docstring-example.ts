/** What the examples of docstrings take as given, in the order in which it can be declared. */
const given: readonly (readonly [name: string, declaration: string])[] = [
  ["ChatOpenAI", 'import { ChatOpenAI } from "@langchain/openai";'],
  ["ChatPromptTemplate", 'import { ChatPromptTemplate } from "@langchain/core/prompts";'],
  ["ConversationChain", 'import { ConversationChain } from "@langchain/classic/chains";'],
  ["PostgresStore", 'import { PostgresStore } from "@langchain/langgraph-checkpoint-postgres/store";'],
  ["createAgent", 'import { createAgent } from "langchain";'],
  ["MemoryWorkspace", ownImport("MemoryWorkspace")],
  ["CrossSessionMemory", ownImport("CrossSessionMemory")],
  ["LangGraphMemoryStore", ownImport("LangGraphMemoryStore")],
  ["relevantTo", ownImport("relevantTo")],
  ["selectMemories", ownImport("selectMemories")],
  ["SyntheticEmbeddings", 'import { SyntheticEmbeddings } from "@langchain/core/utils/testing";'],
  ["withCrossSessionMemory", ownImport("withCrossSessionMemory")],
  ["crossSessionMemoryMiddleware", ownImport("crossSessionMemoryMiddleware", "/middleware")],
  ["createMemoryTools", ownImport("createMemoryTools", "/tools")],
  ["createMemoryPanel", ownImport("createMemoryPanel", "/panel")],
  ["model", 'const model = new ChatOpenAI({ model: "gpt-4.1-mini" });'],
  ["workspace", 'const workspace = new MemoryWorkspace({ dir: "./ai", model, locale: "en" });'],
  [
    "prompt",
    'const prompt = ChatPromptTemplate.fromMessages([["placeholder", "{history}"], ["human", "{input}"]]);',
  ],
  ["embeddings", "const embeddings = new SyntheticEmbeddings({ vectorSize: 8 });"],
  ["query", 'const query = "What is my cat called?";'],
  ["tools", "const tools: [] = [];"],
  ["url", 'const url = process.env["DATABASE_URL"] ?? "";'],
  [
    "signedInUser",
    'const signedInUser = async (request: Request) => (request.headers.has("cookie") ? { id: "ada", isAdmin: false } : null);',
  ],
];

/** A docstring's example with what it takes as given before it, so that it runs alone. */
export function asProgram(example: string): string {
  let program = example;
  for (const [name, declaration] of given.toReversed()) {
    const used = new RegExp(`(?<![\\w"/-]|(?<!\\.\\.)\\.)${name}\\b(?!:)`).test(program);
    const declared = new RegExp(`(?:const|import \\{) ${name}\\b`).test(program);
    if (used && !declared) program = `${declaration}\n${program}`;
  }
  return program;
}

function ownImport(name: string, entry = ""): string {
  return `import { ${name} } from "langchain-cross-session-memory${entry}";`;
}
