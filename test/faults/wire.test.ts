import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ChatOpenAI } from "@langchain/openai";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeWorld } from "../extraction/world.js";
import { sendStatus, startModelServer } from "../support/model-server.js";

/** A server below the protocol: what it does with a connection is the test's. */
async function rawServer(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  let requests = 0;
  const server = createServer((request, response) => {
    requests++;
    request.resume().on("end", () => answer(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const model = new ChatOpenAI({
    model: "gpt-4o-mini",
    apiKey: "none",
    maxRetries: 0,
    configuration: { baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` },
  });
  return { model, count: () => requests };
}

describe("a real server that misbehaves costs one attempt a turn, moves nothing and is said once", () => {
  const head = { "content-type": "application/json" };
  it.each<[string, (response: ServerResponse) => void, number, string]>([
    ["a reply that drips and never ends", dripForEver, 1, "time-out"],
    [
      "a connection that is reset in the middle",
      (response) => {
        response.writeHead(200, head);
        response.write('{"id":"1","choices":[{"mess', () => response.destroy());
      },
      2,
      "",
    ],
    [
      "a megabyte of JSON that is no reply",
      (response) => {
        response.writeHead(200, head);
        response.end(JSON.stringify({ SECRETWORD: "x".repeat(1024 * 1024) }));
      },
      2,
      "",
    ],
    [
      "a megabyte of JSON as the content",
      (response) => {
        const content = JSON.stringify({
          deep: JSON.parse(`${"[".repeat(500)}${"]".repeat(500)}`),
          wide: "x".repeat(1024 * 1024),
        });
        response.writeHead(200, head);
        response.end(
          JSON.stringify({
            id: "1",
            object: "chat.completion",
            created: 0,
            model: "m",
            choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
          }),
        );
      },
      2,
      "",
    ],
    [
      "429 with `retry-after`",
      (response) => {
        response.writeHead(429, { ...head, "retry-after": "3600" });
        response.end('{"error":{"message":"SECRETWORD"}}');
      },
      1,
      "status 429",
    ],
  ])("%s", async (_, answer, mostRequests, reason) => {
    const { model, count } = await rawServer((_request, response) => answer(response));
    const world = await makeWorld({ model, extractionTimeoutMs: 700, extractionTriggerChars: 10 });
    for (let turn = 1; turn <= 3; turn++) {
      await world.say(`SECRETWORD in turn ${turn}`);
      expect(count()).toBeLessThanOrEqual(turn * mostRequests);
    }
    expect(count()).toBeGreaterThanOrEqual(3);
    expect(await world.workspace.waiting.count()).toMatchObject({ messages: 6 });
    expect(await world.contents()).toEqual([]);
    const said = world.logger.warnings.filter((line) => line.includes("extraction failed"));
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(reason);
    expect(world.logger.all).not.toContain("SECRETWORD");
    const [day] = await world.workspace.usage();
    expect(day).toMatchObject({ extractions: 3, requests: count(), stored: 0, failures: 3 });
  });
});

function dripForEver(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  const drip = setInterval(() => response.write(" "), 20).unref();
  response.on("close", () => clearInterval(drip));
}

it("a megabyte of usable facts is cut to the limit of memories and of each fact", async () => {
  const facts = Array.from({ length: 5000 }, (_, number) => ({ content: `${number} ${"事".repeat(300)}` }));
  const server = await startModelServer(() => JSON.stringify({ memories: facts }));
  const world = await makeWorld({ model: server.model(), limit: 50 });
  await world.say("words");
  await world.workspace.extractNow();
  const contents = await world.contents();
  expect(contents).toHaveLength(50);
  expect(contents.every((content) => [...content].length <= 200)).toBe(true);
});

it("a model that is down for 100 turns costs at most 100 requests, and the backlog is worked off in parts", async () => {
  let isDown = true;
  const server = await startModelServer(() => (isDown ? sendStatus(503) : '{"memories":[]}'));
  const world = await makeWorld({ model: server.model(), locale: "en", extractionChunkChars: 20_000 });
  for (let turn = 0; turn < 100; turn++) await world.turnOf(1000);
  // The first three turns are below the trigger.
  expect(server.requests).toHaveLength(97);
  expect(world.logger.warnings).toHaveLength(1);
  expect(await world.workspace.waiting.count()).toMatchObject({ characters: 100_000, messages: 200 });

  isDown = false;
  const before = server.requests.length;
  for (let turn = 0; turn < 6; turn++) await world.turnOf(1000);
  const parts = server.requests.slice(before);
  expect(parts.length).toBeLessThanOrEqual(6);
  expect(parts.length).toBeGreaterThanOrEqual(5);
  for (const { messages } of parts) expect([...(messages[1]?.content ?? "")].length).toBeLessThan(24_000);
  expect((await world.workspace.waiting.count()).characters).toBeLessThan(4000);
  const [day] = await world.workspace.usage();
  expect(day).toMatchObject({ requests: server.requests.length, failures: 97 });
});

it("a client's own retries come on top, within one attempt", async () => {
  const server = await startModelServer(() => sendStatus(500));
  const world = await makeWorld({ model: server.model({ maxRetries: 2 }), extractionTriggerChars: 10 });
  await world.say("one turn");
  expect(server.requests).toHaveLength(3);
  expect(await world.workspace.usage()).toMatchObject([{ extractions: 1, requests: 1, failures: 1 }]);
});
