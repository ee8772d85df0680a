import { beforeAll, describe, expect, inject, test } from "vitest";
import { agentProgram, agentProgramPrints } from "../package/agent-program.js";
import { App } from "../package/app.js";
import { command } from "../package/command.js";
import { consumerOf } from "../package/consumer.js";
import { addUses, expectUses } from "./uses.js";

const packed = inject("packed");
const manifest = await import(`${packed.directory}/package.json`, { with: { type: "json" } });
const ranges = manifest.default.peerDependencies as Readonly<Record<string, string>>;

const oldest = (name: string) => `${name}@${ranges[name]?.replace("^", "")}`;
const newest = async (name: string) =>
  `${name}@${(await command(packed.folder, "npm", ["view", name, "version", "--prefer-online"])).trim()}`;

/**
 * What the oldest `langchain` had beside it in its day, as in the lock file of an app of then. Its own ranges would take a
 * later LangGraph today, for which a core of its age has no parts.
 */
const ofItsDay = [
  "@langchain/langgraph@1.0.1",
  "@langchain/langgraph-checkpoint@1.0.0",
  "@langchain/openai@1.0.0",
];

describe("with the oldest peers, and what LangChain had beside them in its day", () => {
  const app = withPeers("oldest", async () => [oldest("langchain"), oldest("@langchain/core"), ...ofItsDay]);

  test("TypeScript finds no fault in our declarations, and no any", async () => {
    const complaints = await complaintsOf(app());
    // LangChain's own declarations of then have faults of their own.
    expect(complaints.filter((line) => !line.startsWith("node_modules/langchain/"))).toEqual([]);
  });
});

describe("with the oldest langchain, and the newest of everything else", () => {
  withPeers("mixed", async () => [
    oldest("langchain"),
    await newest("@langchain/core"),
    await newest("@langchain/langgraph"),
    "@langchain/openai",
  ]);
});

describe("with the newest peers", () => {
  const app = withPeers("newest", async () => [
    await newest("langchain"),
    await newest("@langchain/core"),
    await newest("@langchain/langgraph"),
    "@langchain/openai",
  ]);

  test("TypeScript finds no fault in any declaration, and no any in ours", async () => {
    expect(await complaintsOf(app())).toEqual([]);
    expect(await app().run("out/agent.mjs")).toBe(agentProgramPrints);
  });
});

/** Installs an app with these versions and tries all uses of it. */
function withPeers(name: string, versions: () => Promise<string[]>): () => App {
  let app: App;
  beforeAll(async () => {
    app = await App.install(packed, name, await versions());
    await addUses(app);
    const names = ["langchain", "@langchain/core", "@langchain/langgraph", "@langchain/openai"];
    console.log(await app.npm("ls", ...names));
  });

  test("a chain, agents, tools and the page work by import", () => expectUses(app, "import"));

  test("they work by require", () => expectUses(app, "require"));

  return () => app;
}

/** What the compiler finds in all entries and in a program with an agent. */
async function complaintsOf(app: App): Promise<string[]> {
  const entries = ["", "/middleware", "/tools", "/panel"].map(
    (entry) => `langchain-cross-session-memory${entry}`,
  );
  const { source, names } = consumerOf(app.directory, entries);
  expect(names).toContain("crossSessionMemoryMiddleware");
  await app.write("consumer.mts", source);
  await app.write("agent.mts", agentProgram);
  const printed = await app.complaints("consumer.mts", "agent.mts");
  return printed.split("\n").filter((line) => /: error TS\d+:/.test(line));
}
