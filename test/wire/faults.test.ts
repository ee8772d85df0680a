import { ChatOpenAI } from "@langchain/openai";
import nock from "nock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MemoryWorkspace } from "../../src/index.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import { startModelServer } from "../support/model-server.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const host = "http://model.test";
const completion = (content: string) => ({
  id: "1",
  object: "chat.completion",
  created: 0,
  model: "stand-in",
  choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
});
const answer = completion('{"memories":[{"content":"Likes tea","session":null}]}');

beforeEach(() => {
  nock.disableNetConnect();
});

afterEach(() => {
  nock.cleanAll();
  nock.enableNetConnect();
  nock.restore();
  nock.activate();
});

async function world(options: object = {}) {
  const model = new ChatOpenAI({
    model: "gpt-4o-mini",
    apiKey: "none",
    maxRetries: 0,
    configuration: { baseURL: `${host}/v1` },
  });
  const logger = new CollectingLogger();
  const workspace = new MemoryWorkspace({ dir: await temporaryFolder(), model, logger, ...options });
  await workspace.recordTurn("s1", [
    ["human", "SECRETWORD is what I said"],
    ["ai", "ok"],
  ]);
  return { workspace, logger };
}

const endpoint = () => nock(host).post("/v1/chat/completions");

describe("a fault on the wire moves nothing, is said once without content, and the next attempt works", () => {
  const faults: [string, () => void, boolean][] = [
    ["429", () => void endpoint().reply(429, { error: { message: "slow down: SECRETWORD" } }), false],
    ["500", () => void endpoint().reply(500, { error: { message: "broken: SECRETWORD" } }), false],
    ["503 with a page", () => void endpoint().reply(503, "<html>SECRETWORD</html>"), false],
    ["401", () => void endpoint().reply(401, { error: { message: "no key: SECRETWORD" } }), false],
    [
      "a reset connection",
      () => void endpoint().replyWithError(Object.assign(new Error("SECRETWORD"), { code: "ECONNRESET" })),
      false,
    ],
    [
      "a name that can't be resolved",
      () => void endpoint().replyWithError(Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" })),
      false,
    ],
    ["413", () => void endpoint().reply(413, { error: { message: "too large: SECRETWORD" } }), true],
    [
      "400, twice",
      () =>
        void endpoint()
          .times(2)
          .reply(400, { error: { message: "SECRETWORD too long" } }),
      true,
    ],
  ];

  it.each(faults)("%s", async (_, prepare, ofContent) => {
    prepare();
    const { workspace, logger } = await world();
    const first = await workspace.extractNow();
    expect(first).toMatchObject({ stored: 0, remaining: 2, failure: { reason: expect.any(String) } });
    expect(nock.isDone()).toBe(true);
    expect(logger.warnings).toHaveLength(1);
    expect(logger.all + JSON.stringify(first)).not.toContain("SECRETWORD");
    expect((await workspace.store.extraction.read()).contentFailures).toBe(ofContent ? 1 : 0);

    endpoint().reply(200, answer);
    expect(await workspace.extractNow()).toEqual({ requests: 1, stored: 1, remaining: 0 });
  });

  it.each([
    ["an empty body", ""],
    ["a page of HTML", "<html><body>[Bad] {gateway} SECRETWORD</body></html>"],
    ["half a JSON", '{"id":"1","choices":[{"mess'],
    ["no choices", JSON.stringify({ ...answer, choices: [] })],
    ["an error with status 200", JSON.stringify({ error: { message: "SECRETWORD" } })],
    ["null", "null"],
  ])("status 200 with %s: at most two requests, and structure is asked for again", async (_, body) => {
    endpoint().times(2).reply(200, body, { "content-type": "application/json" });
    const { workspace, logger } = await world();
    const first = await workspace.extractNow();
    expect(first).toMatchObject({ stored: 0, remaining: 2, failure: { reason: expect.any(String) } });
    expect(first.requests).toBeLessThanOrEqual(2);
    expect(logger.warnings).toHaveLength(1);
    expect(logger.all + JSON.stringify(first)).not.toContain("SECRETWORD");

    nock.cleanAll();
    let asked: unknown;
    nock(host)
      .post("/v1/chat/completions", (request: { response_format?: unknown }) => {
        asked = request.response_format;
        return true;
      })
      .reply(200, answer);
    expect(await workspace.extractNow()).toEqual({ requests: 1, stored: 1, remaining: 0 });
    expect(asked).toBeDefined();
  });

  it("the client's own retries are within one attempt", async () => {
    endpoint().reply(500, {});
    endpoint().reply(200, answer);
    const model = new ChatOpenAI({
      model: "gpt-4o-mini",
      apiKey: "none",
      maxRetries: 1,
      configuration: { baseURL: `${host}/v1` },
    });
    const { workspace } = await world({ model });
    expect(await workspace.extractNow()).toEqual({ requests: 1, stored: 1, remaining: 0 });
  });
});

describe("`extractionTimeoutMs`", () => {
  it("ends an attempt that a server stalls, and its request", async () => {
    nock.restore();
    let isClosed = false;
    const server = await startModelServer(() => (response) => {
      response.on("close", () => {
        isClosed = true;
      });
    });
    const { workspace, logger } = await world({ model: server.model(), extractionTimeoutMs: 200 });
    expect(await workspace.extractNow()).toEqual({
      requests: 1,
      stored: 0,
      remaining: 2,
      failure: { reason: "time-out" },
    });
    await expect.poll(() => isClosed).toBe(true);
    expect(logger.warnings).toHaveLength(1);
  });

  it("also where the headers are there and the body never ends", async () => {
    nock.restore();
    const server = await startModelServer(() => (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"id":');
    });
    const { workspace } = await world({ model: server.model(), extractionTimeoutMs: 200 });
    expect(await workspace.extractNow()).toMatchObject({ remaining: 2, failure: { reason: "time-out" } });
  });
});
