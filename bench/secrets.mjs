import { MemoryWorkspace } from "langchain-cross-session-memory";
import { rolldown } from "rolldown";
import { inTemporaryFolder } from "./world.mjs";

/** How many of the credentials, and of the harmless sentences, of the tests' tables are stored where a model extracts them. */
export async function measureSecrets() {
  const { credentials } = await table("credentials");
  const { harmless } = await table("harmless");
  const secrets = await stored(credentials.map((parts) => parts.join("")));
  const sentences = await stored(harmless);
  return [
    {
      name: "credentials that are not stored",
      against: "those that a model gave as facts",
      unit: "facts",
      ours: credentials.length - secrets,
      theirs: credentials.length,
      atLeast: 1,
    },
    {
      name: "harmless sentences about them that are stored",
      against: "those that a model gave as facts",
      unit: "facts",
      ours: sentences,
      theirs: harmless.length,
      atLeast: 1,
    },
  ];
}

/** How many memories an extraction that gives these facts leaves. */
function stored(facts) {
  return inTemporaryFolder(async (dir) => {
    const model = { invoke: async () => ({ content: JSON.stringify(facts) }) };
    const workspace = new MemoryWorkspace({ dir, model, limit: 1000, structuredOutput: "off" });
    await workspace.recordTurn("session", [
      ["human", "Here they are."],
      ["ai", "Thank you."],
    ]);
    await workspace.extractNow();
    const { length } = await workspace.memories.list();
    await workspace.close();
    return length;
  });
}

/** A table of the tests, which is written in TypeScript. */
async function table(name) {
  const bundle = await rolldown({ input: new URL(`../test/secrets/${name}.ts`, import.meta.url).pathname });
  const { output } = await bundle.generate({ format: "esm" });
  return import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
}
