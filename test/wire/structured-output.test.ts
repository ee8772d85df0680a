import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { MemoryWorkspace } from "../../src/index.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import {
  type CompletionRequest,
  type ServerReply,
  sendCompletion,
  sendStatus,
  startModelServer,
} from "../support/model-server.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const structured = '{"memories":[{"content":"Likes tea","session":null}]}';
const plain = '[{"content":"Likes tea"}]';

async function world(
  reply: (request: CompletionRequest, index: number) => ServerReply,
  modelOptions: object = {},
) {
  const server = await startModelServer(reply);
  const logger = new CollectingLogger();
  const model = server.model(modelOptions);
  const workspace = new MemoryWorkspace({ dir: await temporaryFolder(), model, logger, locale: "en" });
  return {
    ...server,
    model,
    logger,
    workspace,
    extract: async () => {
      await workspace.recordTurn("s1", [
        ["human", `I like tea ${server.requests.length}`],
        ["ai", "ok"],
      ]);
      return workspace.extractNow();
    },
    contents: async () => (await workspace.memories.list()).map(({ content }) => content),
  };
}

const asksForStructure = ({ response_format: format, tools }: CompletionRequest) =>
  format !== undefined || tools !== undefined;

interface ObjectSchema {
  readonly type: "object";
  readonly properties: object;
  readonly required: string[];
  readonly additionalProperties: boolean;
}

function objectsWithin(schema: unknown): ObjectSchema[] {
  if (typeof schema !== "object" || schema === null) return [];
  const within = Object.values(schema).flatMap(objectsWithin);
  return "properties" in schema ? [schema as ObjectSchema, ...within] : within;
}

describe("structured output where the model has it", () => {
  it("the first request carries the schema, as one system and one user message, not streamed", async () => {
    const { extract, requests, contents } = await world(() => structured);
    expect(await extract()).toEqual({ requests: 1, stored: 1, remaining: 0 });
    expect(requests).toHaveLength(1);
    const [request] = requests;
    expect(request?.response_format).toMatchObject({
      type: "json_schema",
      json_schema: {
        name: "memories",
        schema: { type: "object", properties: { memories: { type: "array" } } },
      },
    });
    expect(request?.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(request?.stream ?? false).toBe(false);
    expect(await contents()).toEqual(["Likes tea"]);
  });

  it.each([true, false])(
    "the schema is one that OpenAI's strict mode takes: all required (%s)",
    async (consolidate) => {
      const { requests, model } = await world(() => structured);
      const workspace = new MemoryWorkspace({
        dir: await temporaryFolder(),
        model,
        locale: "en",
        consolidate,
      });
      await workspace.recordTurn("s1", [
        ["human", "hi"],
        ["ai", "ok"],
      ]);
      await workspace.extractNow();
      expect(requests).toHaveLength(1);
      const format = requests[0]?.response_format as unknown as {
        json_schema: { strict: boolean; schema: object };
      };
      expect(format.json_schema.strict).toBe(true);
      const objects = objectsWithin(format.json_schema.schema);
      expect(objects).toHaveLength(2);
      for (const { properties, required, additionalProperties } of objects) {
        expect(required).toEqual(Object.keys(properties));
        expect(additionalProperties).toBe(false);
      }
    },
  );

  it.each([
    ["the bare array that the instruction asks for", plain],
    ["keys left out", '{"memories":[{"content":"Likes tea"}]}'],
  ])("JSON in another form (%s) is taken, and is not asked for again by the client", async (_, reply) => {
    const { extract, requests } = await world(() => reply, { maxRetries: 6 });
    expect(await extract()).toMatchObject({ requests: 1, stored: 1 });
    expect(requests).toHaveLength(1);
  });

  it("a client without strict mode is asked for structure all the same", async () => {
    const { requests, model } = await world(() => structured);
    const withStructuredOutput = (schema: Record<string, unknown>, options: { strict?: boolean }) => {
      if (options.strict) throw new Error("no strict mode");
      return model.withStructuredOutput(schema, { name: "memories", includeRaw: true });
    };
    const lax = { invoke: (input: never) => model.invoke(input), withStructuredOutput };
    const workspace = new MemoryWorkspace({ dir: await temporaryFolder(), model: lax, locale: "en" });
    await workspace.recordTurn("s1", [
      ["human", "hi"],
      ["ai", "ok"],
    ]);
    expect(await workspace.extractNow()).toMatchObject({ requests: 1, stored: 1 });
    expect(requests.map(asksForStructure)).toEqual([true]);
  });

  it("as a tool, where the client asks that way", async () => {
    const callTool: ServerReply = (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const call = { id: "call_1", type: "function", function: { name: "memories", arguments: structured } };
      response.end(
        JSON.stringify({
          id: "1",
          object: "chat.completion",
          created: 0,
          model: "stand-in",
          choices: [
            {
              index: 0,
              message: { role: "assistant", content: null, tool_calls: [call] },
              finish_reason: "tool_calls",
            },
          ],
        }),
      );
    };
    const { extract, requests, contents } = await world(() => callTool, { model: "gpt-3.5-turbo" });
    expect(await extract()).toEqual({ requests: 1, stored: 1, remaining: 0 });
    expect(requests[0]?.tools).toHaveLength(1);
    expect(await contents()).toEqual(["Likes tea"]);
  });

  it('`structuredOutput: "off"` never asks for it', async () => {
    const server = await startModelServer(() => plain);
    const workspace = new MemoryWorkspace({
      dir: await temporaryFolder(),
      model: server.model(),
      structuredOutput: "off",
    });
    await workspace.recordTurn("s1", [
      ["human", "hi"],
      ["ai", "ok"],
    ]);
    expect(await workspace.extractNow()).toMatchObject({ requests: 1, stored: 1 });
    expect(server.requests.some(asksForStructure)).toBe(false);
  });
});

describe("after a refusal the same attempt goes on in plain JSON and the workspace remembers", () => {
  const refusals: [string, number, string][] = [
    ["DeepSeek's", 400, "This response_format type is unavailable now"],
    ["a 422", 422, "json_schema is not supported by this model"],
    ["a 400 that says nothing", 400, "Bad Request"],
    ["a 404 that says so", 404, "This model does not support structured output"],
    ["a 501 that says so", 501, "response_format: json_schema is not implemented"],
  ];

  it.each(refusals)("%s", async (_, status, message) => {
    const { extract, requests, contents, logger } = await world((request) =>
      asksForStructure(request) ? sendStatus(status, message) : plain,
    );
    expect(await extract()).toEqual({ requests: 2, stored: 1, remaining: 0 });
    expect(requests.map(asksForStructure)).toEqual([true, false]);
    expect(requests[1]?.messages).toEqual(requests[0]?.messages);
    expect(await extract()).toMatchObject({ requests: 1 });
    expect(requests.map(asksForStructure)).toEqual([true, false, false]);
    expect(await contents()).toEqual(["Likes tea"]);
    expect(logger.warnings).toEqual([]);
  });

  it("a 400 for the text itself: an attempt is two requests at most, and structure is asked for again", async () => {
    let isTooLong = true;
    const { extract, requests } = await world(() =>
      isTooLong ? sendStatus(400, "context length exceeded") : structured,
    );
    expect(await extract()).toMatchObject({ requests: 2, failure: { status: 400 } });
    isTooLong = false;
    expect(await extract()).toMatchObject({ requests: 1, stored: 1 });
    expect(requests.map(asksForStructure)).toEqual([true, false, true]);
  });

  it.each([
    [401, "no structured output without a valid key"],
    [403, "response_format is not allowed for this key"],
    [429, "response_format is not available at this rate"],
    [500, "broken"],
    [503, "overloaded"],
  ])("%i is no refusal of it: one request, and structure is asked for again", async (status, message) => {
    let isDown = true;
    const { extract, requests } = await world(() => (isDown ? sendStatus(status, message) : structured));
    expect(await extract()).toMatchObject({ requests: 1, failure: { status } });
    isDown = false;
    expect(await extract()).toMatchObject({ requests: 1, stored: 1 });
    expect(requests.map(asksForStructure)).toEqual([true, true]);
  });
});

describe("a structured reply that the client can't parse", () => {
  it.each([
    ["fenced", `\`\`\`json\n${plain}\n\`\`\``],
    ["with prose around it", `Here you are: ${plain}`],
    ["a bare array", plain],
  ])("%s: costs at most one second, plain request", async (_, text) => {
    const { extract, requests, contents } = await world(() => text);
    const first = await extract();
    expect(first).toMatchObject({ stored: 1, remaining: 0 });
    expect(first.requests).toBeLessThanOrEqual(2);
    expect(requests.slice(1).some(asksForStructure)).toBe(false);
    expect(await contents()).toEqual(["Likes tea"]);
    // From then on in plain JSON: no second request is paid for again.
    expect((await extract()).requests).toBe(1);
  });

  it("prose in both: a failure for what it holds, two requests, nothing remembered", async () => {
    const replies = ["I cannot help with that.", "I cannot help with that.", structured];
    const { extract, requests, contents } = await world((_, index) => replies[index] ?? structured);
    expect(await extract()).toMatchObject({ requests: 2, failure: { reason: "not JSON" } });
    expect(await extract()).toMatchObject({ requests: 1, stored: 1 });
    expect(requests.map(asksForStructure)).toEqual([true, false, true]);
    expect(await contents()).toEqual(["Likes tea"]);
  });
});

describe("a reply that was cut off", () => {
  const cut =
    (content: string): ServerReply =>
    (response: ServerResponse, request) =>
      sendCompletion(response, request, content, "length");

  it.each([
    ["in a fact", '{"memories":[{"content":"Speaks Finnish","session":null},{"content":"Has allerg'],
    ["though it looks whole", structured],
  ])("%s: keeps nothing and counts as a failure for what it holds", async (_, content) => {
    const { extract, workspace, contents } = await world(() => cut(content));
    const { failure, stored, requests } = await extract();
    expect({ stored, isFailure: failure !== undefined }).toEqual({ stored: 0, isFailure: true });
    expect(requests).toBeLessThanOrEqual(2);
    expect(await contents()).toEqual([]);
    expect(await workspace.store.extraction.read()).toMatchObject({ contentFailures: 1 });
  });
});

describe("no request is streamed", () => {
  it("though the model was made with `streaming: true`, and the model object is not changed", async () => {
    const { extract, requests, model, contents } = await world(() => structured, { streaming: true });
    expect(await extract()).toEqual({ requests: 1, stored: 1, remaining: 0 });
    expect(requests.some(({ stream }) => stream === true)).toBe(false);
    expect(requests.every(asksForStructure)).toBe(true);
    expect(model.streaming).toBe(true);
    expect(await contents()).toEqual(["Likes tea"]);
  });

  it.each(["withConfig", "withRetry"] as const)("also within what `%s` put around it", async (kind) => {
    const server = await startModelServer((request) => (asksForStructure(request) ? structured : plain));
    const inner = server.model({ streaming: true });
    const model =
      kind === "withConfig" ? inner.withConfig({ tags: ["mine"] }) : inner.withRetry({ stopAfterAttempt: 1 });
    const workspace = new MemoryWorkspace({ dir: await temporaryFolder(), model });
    await workspace.recordTurn("s1", [
      ["human", "hi"],
      ["ai", "ok"],
    ]);
    expect(await workspace.extractNow()).toEqual({ requests: 1, stored: 1, remaining: 0 });
    expect(server.requests.map(({ stream }) => stream ?? false)).toEqual([false]);
  });
});
