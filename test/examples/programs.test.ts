import { readdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
// biome-ignore lint/correctness/useImportExtensions: the examples are .mjs, so that they run as they are.
import { startStandInModel } from "../../examples/stand-in-model/server.mjs";
import { startPostgres } from "../postgres/postgres-server.js";
import { examples, runExample } from "./run-example.js";

/** Each example that runs to its end, and what it prints: in its second session what was said in the first. */
const programs: readonly (readonly [file: string, printed: RegExp])[] = [
  ["agent.mjs", /tuesday> What is the release day[\s\S]*is Thursday[\s\S]*tuesday> Which package[\s\S]*pnpm/],
  ["conversation-chain.mjs", /^What I was sent says: .*pnpm/m],
  ["lcel-chain.mjs", /^What I was sent says: .*conclusion first/m],
  ["local-model.mjs", /\(learned: 1\)\n\ntuesday> .*\n.*7443/],
  [
    "nextjs-route/run.mjs",
    /ann, tuesday> .*\n.*pnpm.*\n {2}\(status 200, \d\d pieces\)\n\nben, tuesday> .*\n.*yarn.*\n.*\n\neve, .*\n.*\n {2}\(status 401/,
  ],
  ["panel-hono.mjs", /^200 text\/html/],
  ["postgres.mjs", /- The user's project uses pnpm[\s\S]*of another user: ""/],
  [
    "serverless.mjs",
    /\(answered; memories: 0\)\n {2}\(frozen; memories: 1\)\n\ntuesday> .*\n.*pnpm[\s\S]*\(answered; memories: 1\)/,
  ],
  ["streaming-agent.mjs", /tuesday> [\s\S]*conclusion first/],
  ["summarization.mjs", /\(segments: summary\)[\s\S]*tuesday> [\s\S]*\(segments: memory\)[\s\S]*7443/],
];

/** Those that serve have tests of their own. */
const servers = ["chat-server.mjs", "panel.mjs"];

test("each example is run by a test", async () => {
  const files = await readdir(examples, { recursive: true, encoding: "utf8" });
  const runnable = files.filter((file) => /^(?!model\.)[\w-]+\.mjs$|\brun\.mjs$/.test(file));
  expect(runnable.sort()).toEqual([...programs.map(([file]) => file), ...servers].sort());
});

test.each(programs)("%s prints what it promises, and no warning", async (file, printed) => {
  const { output, errors, code } = await runExample(file);
  expect(errors).toBe("");
  expect(output).toMatch(printed);
  expect(code).toBe(0);
});

describe("over a real PostgreSQL", () => {
  test.each(programs.filter(([file]) => /postgres|serverless/.test(file)))(
    "%s prints the same",
    async (file, printed) => {
      const server = await startPostgres();
      try {
        const { output, errors, code } = await runExample(file, [], { DATABASE_URL: server.url });
        expect(errors).toBe("");
        expect(output).toMatch(printed);
        expect(code).toBe(0);
      } finally {
        await server.stop();
      }
    },
  );
});

describe("with a server of the user's own", () => {
  test("the examples talk to the server and the model that the environment names", async () => {
    const server = await startStandInModel();
    const { output, code } = await runExample("conversation-chain.mjs", [], {
      OPENAI_API_KEY: "any",
      OPENAI_BASE_URL: server.baseURL,
      OPENAI_MODEL: "model-of-the-house",
    });
    await server.close();
    expect(code).toBe(0);
    expect(output).toContain("model: model-of-the-house\n");
    expect(output).not.toContain("stand-in");
    expect(new Set(server.requests.map(({ body }) => body.model))).toEqual(new Set(["model-of-the-house"]));
  });

  test("the local model's example talks to the machine that it is told, and to no other", async () => {
    const server = await startStandInModel();
    const { output, code } = await runExample("local-model.mjs", [], {
      OLLAMA_HOST: server.baseURL.replace(/\/v1$/, ""),
      OLLAMA_MODEL: "a-small-one",
    });
    await server.close();
    expect(code).toBe(0);
    expect(output).toContain("model: a-small-one\n");
    expect(server.requests.map(({ kind, body }) => [kind, body.model])).toEqual([
      ["chat", "a-small-one"],
      ["extraction", "a-small-one"],
      ["chat", "a-small-one"],
    ]);
  });
});
