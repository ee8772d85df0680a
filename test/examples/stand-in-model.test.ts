import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
// biome-ignore lint/correctness/useImportExtensions: the examples are .mjs, so that they run as they are.
import { modelName, type StandInModel, startStandInModel } from "../../examples/stand-in-model/server.mjs";
import { locales } from "../../src/locales/index.js";

let server: StandInModel;
let logged: string[];

beforeEach(async () => {
  logged = [];
  server = await startStandInModel({ log: (line) => logged.push(line) });
});
afterEach(() => server.close());

const model = () =>
  new ChatOpenAI({
    model: modelName,
    apiKey: "none",
    configuration: { baseURL: server.baseURL },
    maxRetries: 0,
  });

const zhLines = [
  { role: "user", content: "我们项目统一用 pnpm，不用 npm。今天风好大，帽子被吹跑了。", date: "2025-03-11" },
  { role: "assistant", content: "我习惯用 vim，你也试试。", date: "2025-03-11" },
  { role: "user", content: "我喜欢用 zsh 吗？我的电脑密码是 Mango-7731-tulip。", date: "2025-03-11" },
  { role: "user", content: "我习惯先看结论再看步骤。接口报错的故障我们已经决定不管了。", date: "2025-03-11" },
];
const enLines = [
  { role: "user", content: "We use uv and never plain pip. My dog learned to open the fridge." },
  { role: "assistant", content: "I prefer poetry." },
  { role: "user", content: "Do you think I like tabs? I use the password Mango-7731-tulip." },
];

function extraction(locale: "zh-CN" | "en", lines: readonly object[], known: readonly string[] = []) {
  const { instruction, knownHeading, conversationHeading } = locales[locale].extraction;
  const before = known.length === 0 ? "" : `${knownHeading}\n${JSON.stringify(known)}\n\n`;
  const conversation = lines.map((line) => JSON.stringify(line)).join("\n");
  return [
    new SystemMessage(instruction),
    new HumanMessage(`${before}${conversationHeading}\n${conversation}`),
  ];
}

async function chat(...messages: (SystemMessage | HumanMessage)[]): Promise<string> {
  const reply = await model().invoke(messages);
  return reply.text;
}

describe("the stand-in speaks the OpenAI protocol", () => {
  test("a reply says that no language model wrote it", async () => {
    const reply = await model().invoke("hello");
    expect(reply.response_metadata.model_name).toBe("stand-in-model");
    expect(reply.usage_metadata).toMatchObject({ total_tokens: expect.any(Number) });
  });

  test("a streamed reply comes in several pieces that make up the whole one", async () => {
    const pieces: string[] = [];
    for await (const chunk of await model().stream("Which port does nobody know of?"))
      pieces.push(chunk.text);
    expect(pieces.filter((piece) => piece !== "").length).toBeGreaterThan(2);
    expect(pieces.join("")).toBe(await chat(new HumanMessage("Which port does nobody know of?")));
  });

  test("requests are recorded with path, kind and body, and the log holds nothing that was said", async () => {
    await chat(new HumanMessage("my secret thought"));
    await model().invoke(extraction("en", enLines));
    expect(server.requests.map(({ path, kind }) => [path, kind])).toEqual([
      ["/v1/chat/completions", "chat"],
      ["/v1/chat/completions", "extraction"],
    ]);
    expect(server.requests[0]?.body.messages[0]?.content).toBe("my secret thought");
    expect(logged).toHaveLength(2);
    expect(logged.join()).not.toContain("thought");
  });

  test("a second system message, one that is not first, and an assistant's at the end are refused", async () => {
    const system = { role: "system", content: "be brief" };
    const user = { role: "user", content: "hello" };
    const refused = [
      [system, system, user],
      [user, system],
      [user, { role: "assistant", content: "hi" }],
      [],
    ];
    for (const messages of refused) expect(await post({ messages })).toBe(400);
    expect(await post({ messages: [system, user] })).toBe(200);
  });
});

describe("an extraction is computed from the user's lines", () => {
  test("preferences and conventions are facts; questions, small talk, faults and passwords are not", async () => {
    const reply = await model().invoke(extraction("zh-CN", zhLines));
    expect(JSON.parse(reply.text)).toEqual([
      { content: "用户项目统一用 pnpm，不用 npm" },
      { content: "用户习惯先看结论再看步骤" },
    ]);
  });

  test("the same in English", async () => {
    const reply = await model().invoke(extraction("en", enLines));
    expect(JSON.parse(reply.text)).toEqual([{ content: "The user's team uses uv and never plain pip" }]);
  });

  test("what is known is left out", async () => {
    const reply = await model().invoke(extraction("zh-CN", zhLines, ["用户习惯先看结论再看步骤"]));
    expect(JSON.parse(reply.text)).toEqual([{ content: "用户项目统一用 pnpm，不用 npm" }]);
  });

  const schema = z.object({
    memories: z.array(z.object({ content: z.string(), session: z.number().nullish() })),
  });

  test("structured output gets the list under the schema's key, with the session where there are several", async () => {
    const structured = model().withStructuredOutput(schema);
    const reply = await structured.invoke(
      extraction(
        "en",
        enLines.map((line, at) => ({ ...line, session: at + 1 })),
      ),
    );
    expect(reply).toEqual({
      memories: [{ content: "The user's team uses uv and never plain pip", session: 1 }],
    });
    expect(server.requests[0]?.body.response_format).toMatchObject({ type: "json_schema" });
  });

  test("a tool that must be called is called, whole and streamed", async () => {
    const structured = model().withStructuredOutput(schema, { method: "functionCalling" });
    const reply = await structured.invoke(extraction("en", enLines));
    expect(reply.memories.map(({ content }) => content)).toEqual([
      "The user's team uses uv and never plain pip",
    ]);
    const streamed = [];
    for await (const part of await structured.stream(extraction("en", enLines))) streamed.push(part);
    expect(streamed.at(-1)).toEqual(reply);
  });

  test("a summary is a short digest of what the user said, after the former one", async () => {
    const { instruction, formerHeading, conversationHeading } = locales.en.summary;
    const lines = enLines.map((line) => JSON.stringify(line)).join("\n");
    const request = `${formerHeading}\nThe talk began with vans.\n\n${conversationHeading}\n${lines}`;
    const summary = await chat(new SystemMessage(instruction), new HumanMessage(request));
    expect(summary).toMatch(/^The talk began with vans\./);
    expect(summary).toContain("We use uv");
    expect(summary).not.toContain("poetry");
    expect(server.requests[0]?.kind).toBe("summary");
  });
});

describe("an answer is computed from what is sent", () => {
  const context = "# 跨会话记忆\n\n- 用户习惯用 nvim\n- 用户项目的本地开发端口固定用 5173";

  test("a remembered fact answers a question that shares its words", async () => {
    const question = new HumanMessage("早。项目本地开发的端口是多少？");
    expect(await chat(new SystemMessage(context), question)).toContain("5173");
    expect(await chat(question)).toBe("我不知道，发给我的内容里没有提到。");
  });

  test("a question without a matching line gets no guess", async () => {
    const reply = await chat(
      new SystemMessage(context),
      new HumanMessage("Which city does the user live in?"),
    );
    expect(reply).toBe("I don't know: nothing that I was sent says so.");
  });

  test("what the user said earlier in the conversation answers too, also in a transcript", async () => {
    const question = "Which port does our server run on?";
    expect(
      await chat(new HumanMessage("Our server runs on port 5173."), new HumanMessage(question)),
    ).toContain("5173");
    const transcript = `A friendly conversation.\n\nHuman: Our server runs on port 5173.\nAI: Noted.\nHuman: ${question}\nAI:`;
    expect(await chat(new HumanMessage(transcript))).toContain("5173");
  });

  test("a statement is acknowledged and not answered from memory", async () => {
    expect(
      await chat(new SystemMessage(context), new HumanMessage("项目本地开发的端口我知道了。")),
    ).not.toContain("5173");
  });

  test("a rule about the end of answers is followed", async () => {
    const rules = new SystemMessage("# 用户规则\n\n## 回答方式\n- 每次回答的末尾写上「以上。」");
    expect(await chat(rules, new HumanMessage("收工了。"))).toMatch(/以上。$/);
  });
});

async function post(body: object): Promise<number> {
  const response = await fetch(`${server.baseURL}/chat/completions`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  return response.status;
}
