import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MemoryWorkspace } from "../../src/index.js";
import { createMemoryPanel, type PanelIdentity, type PanelOptions } from "../../src/panel/index.js";
import { openAiKey } from "../secrets/credentials.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { readAnswer } from "./api-answer.js";

const site = "https://app.example";

async function makePanel(identity: PanelIdentity | null, options: Partial<PanelOptions> = {}) {
  const dir = await temporaryFolder();
  const workspace = new MemoryWorkspace({ dir, logger: new CollectingLogger() });
  for (const kind of ["rules", "skills"]) {
    await mkdir(join(dir, kind));
    await writeFile(join(dir, kind, "a.md"), "---\nname: First\n---\nUse **tabs**.");
  }
  const panel = createMemoryPanel(workspace, { authorize: () => identity, ...options });
  const get = (path: string, headers = {}) => panel(new Request(`${site}/settings/${path}`, { headers }));
  const post = (name: string, body: unknown, headers = {}) =>
    panel(
      new Request(`${site}/settings/api/${name}`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: site, ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    );
  const state = async () => readAnswer(await get("api/state"));
  return { dir, workspace, panel, get, post, state };
}

describe("who may see the page", () => {
  it("without authorize the handler refuses to be made", () => {
    const workspace = new MemoryWorkspace();
    const make = createMemoryPanel as (workspace: unknown, options?: unknown) => unknown;
    for (const options of [{}, { authorize: undefined }, { authorize: true }, undefined, null]) {
      expect(() => make(workspace, options)).toThrow(
        expect.objectContaining({ code: "ERR_OPTION_TYPE", message: expect.stringContaining("authorize") }),
      );
    }
    expect(() => make(workspace, { authorize: () => null, theme: 1 })).toThrow(/unknown option "theme"/u);
    expect(() => make(workspace, { authorize: () => null, basePath: "memory" })).toThrow(RangeError);
    expect(() => make(workspace, { authorize: () => null, origins: ["https://a.example/x"] })).toThrow(
      RangeError,
    );
    expect(() => make({}, { authorize: () => null })).toThrow(/workspace must be a MemoryWorkspace/u);
  });

  it("whom authorize refuses gets nothing, not even the page's files", async () => {
    const { get, post, workspace } = await makePanel(null);
    for (const path of ["", "assets/main.js", "api/state"]) expect((await get(path)).status).toBe(401);
    expect((await post("add-memory", { content: "x" })).status).toBe(401);
    expect(await workspace.memories.list()).toEqual([]);
  });

  it("an authorize that throws, or that gives a user who is nobody, refuses", async () => {
    const broken = await makePanel(null, {
      authorize: () => {
        throw new Error("the session store is down, password hunter2");
      },
    });
    const answer = await broken.get("api/state");
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain("hunter2");
    for (const userId of [undefined, "", 7, null]) {
      const { get } = await makePanel({ userId } as unknown as PanelIdentity);
      expect((await get("api/state")).status).toBe(403);
    }
  });

  it("each user sees and changes their own memories only", async () => {
    const dir = await temporaryFolder();
    const workspace = new MemoryWorkspace({ dir, logger: new CollectingLogger() });
    const panel = createMemoryPanel(workspace, {
      authorize: (request) => ({ userId: request.headers.get("cookie") ?? "" }),
    });
    const add = (user: string, content: string) =>
      panel(
        new Request(`${site}/api/add-memory`, {
          method: "POST",
          headers: { "content-type": "application/json", origin: site, cookie: user },
          body: JSON.stringify({ content }),
        }),
      );
    await add("alice", "alice's fact");
    await add("bob", "bob's fact");
    const seen = await readAnswer(
      await panel(new Request(`${site}/api/state`, { headers: { cookie: "bob" } })),
    );
    expect(seen.memories.map(({ content }: { content: string }) => content)).toEqual(["bob's fact"]);
    const [alices] = await workspace.forUser("alice").memories.list();
    const removal = await panel(
      new Request(`${site}/api/delete-memory`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: site, cookie: "bob" },
        body: JSON.stringify({ id: alices?.id }),
      }),
    );
    expect(await removal.json()).toEqual({ removed: false });
    expect(await workspace.forUser("alice").memories.list()).toHaveLength(1);
    expect(await workspace.memories.list()).toEqual([]);
  });
});

describe("rules and skills are the app owner's", () => {
  it("without canManageAssets they are neither shown nor changed", async () => {
    const { state, post, workspace } = await makePanel({ userId: "u" }, { openFolder: () => {} });
    const shown = await state();
    expect(JSON.stringify(shown)).not.toMatch(/a\.md|First|aiRules|aiSkills|"rules"|"skills"/u);
    const tries = [
      ["switch-file", { kind: "rules", filename: "a.md", enabled: false }],
      ["preview-file", { kind: "rules", filename: "a.md" }],
      ["open-folder", { kind: "rules" }],
      ["change-settings", { aiRulesEnabled: false }],
      ["change-settings", { aiMemoryEnabled: false, aiSkillsDisabled: ["a.md"] }],
    ] as const;
    for (const [name, body] of tries) expect((await post(name, body)).status).toBe(403);
    expect(await workspace.settings.get()).toMatchObject({
      aiMemoryEnabled: true,
      aiRulesEnabled: true,
      aiRulesDisabled: [],
      aiSkillsDisabled: [],
    });
  });

  it("with canManageAssets they are shown, switched and previewed", async () => {
    const opened: string[] = [];
    const { dir, state, post } = await makePanel(
      { canManageAssets: true },
      { openFolder: (path) => void opened.push(path) },
    );
    expect((await state()).rules).toMatchObject([{ filename: "a.md", name: "First", enabled: true }]);
    expect((await post("switch-file", { kind: "rules", filename: "a.md", enabled: false })).status).toBe(200);
    expect((await post("change-settings", { aiSkillsEnabled: false })).status).toBe(200);
    expect(JSON.parse(await readFile(join(dir, "settings.json"), "utf8"))).toMatchObject({
      aiRulesDisabled: ["a.md"],
      aiSkillsEnabled: false,
    });
    const { blocks } = await readAnswer(await post("preview-file", { kind: "skills", filename: "a.md" }));
    expect(blocks).toEqual([
      { type: "paragraph", content: ["Use ", { type: "strong", content: ["tabs"] }, "."] },
    ]);
    await post("open-folder", { kind: "skills" });
    expect(opened).toEqual([join(dir, "skills")]);
    for (const filename of ["../settings.json", "b.md", "/etc/passwd"]) {
      expect((await post("preview-file", { kind: "rules", filename })).status).toBe(404);
    }
    expect((await post("switch-file", { kind: "memory", filename: "a.md", enabled: true })).status).toBe(404);
  });

  it("without openFolder no folder is opened", async () => {
    const { state, post } = await makePanel({ canManageAssets: true });
    expect((await state()).canOpenFolders).toBe(false);
    expect((await post("open-folder", { kind: "rules" })).status).toBe(403);
  });
});

describe("memories", () => {
  it("are added, corrected, deleted and cleared", async () => {
    const { dir, post, state, workspace } = await makePanel({});
    const { item, isNew } = await readAnswer(await post("add-memory", { content: " I use  pnpm " }));
    expect([item.content, isNew]).toEqual(["I use pnpm", true]);
    expect((await readAnswer(await post("add-memory", { content: "I use pnpm" }))).isNew).toBe(false);
    await post("edit-memory", { id: item.id, content: "I use npm" });
    const stored = JSON.parse(await readFile(join(dir, "memory", "memory.json"), "utf8"));
    expect(stored).toMatchObject([{ id: item.id, content: "I use npm", sourceScope: "global" }]);
    expect((await state()).memories).toEqual(stored);
    expect(await (await post("delete-memory", { id: item.id })).json()).toEqual({ removed: true });
    await workspace.memories.add("another");
    expect(await (await post("clear-memories", {})).json()).toEqual({ cleared: 1 });
  });

  it("what is refused is refused with a status and a code, and nothing of the content", async () => {
    const { post } = await makePanel({});
    const cases: [string, object, number, string][] = [
      ["add-memory", { content: "  " }, 400, "ERR_MEMORY_EMPTY"],
      ["add-memory", { content: "字".repeat(201) }, 400, "ERR_MEMORY_TOO_LONG"],
      ["add-memory", {}, 400, "ERR_MEMORY_EMPTY"],
      ["add-memory", { content: openAiKey }, 400, "ERR_MEMORY_SECRET"],
      ["add-memory", { content: openAiKey, allowSecret: false }, 400, "ERR_MEMORY_SECRET"],
      ["add-memory", { content: openAiKey, allowSecret: "true" }, 400, "ERR_REQUEST_INVALID"],
      ["edit-memory", { id: "nobody", content: "x" }, 404, "ERR_MEMORY_NOT_FOUND"],
      ["edit-memory", { content: "x" }, 400, "ERR_REQUEST_INVALID"],
      ["clear-memories", { waiting: "yes" }, 400, "ERR_REQUEST_INVALID"],
      ["change-settings", { aiMemoryLimit: 5 }, 400, "ERR_SETTING_INVALID"],
      ["nothing", {}, 404, "ERR_REQUEST_INVALID"],
      ["constructor", {}, 404, "ERR_REQUEST_INVALID"],
    ];
    for (const [name, body, status, code] of cases) {
      const response = await post(name, body);
      expect([name, response.status, await response.json()]).toEqual([name, status, { error: { code } }]);
    }
  });

  it("clear drops what waits only where asked, and the state says how much waits", async () => {
    const { post, state, workspace } = await makePanel({});
    const model = { invoke: async () => ({ content: "[]" }) };
    const turn = [
      { role: "user", content: "I use pnpm" },
      { role: "assistant", content: "Noted" },
    ];
    await workspace.recordTurn("s-1", turn, { model: model as never });
    expect((await state()).waiting).toEqual({ characters: 15, messages: 2, sessions: 1 });
    await post("clear-memories", { waiting: false });
    expect((await state()).waiting.messages).toBe(2);
    await post("clear-memories", { waiting: true });
    expect((await state()).waiting.messages).toBe(0);
  });

  it("a session is removed with what waits of it", async () => {
    const { post, state, workspace } = await makePanel({});
    const turn = [
      { role: "user", content: "I use pnpm" },
      { role: "assistant", content: "Noted" },
    ];
    await workspace.recordTurn("s-1", turn, { model: { invoke: async () => ({}) } as never });
    expect((await state()).sessions).toMatchObject([{ sessionId: "s-1", waiting: { messages: 2 } }]);
    expect(await (await post("remove-session", { sessionId: "s-1" })).json()).toEqual({ removed: true });
    expect((await state()).sessions).toEqual([]);
  });

  it("a memory is pinned and unpinned, and a session takes what came from it along where that is asked for", async () => {
    const { post, state, workspace } = await makePanel({});
    const source = { sessionIds: ["s-1"], messageIds: ["m"], learnedAt: 5 };
    const item = { id: "1", content: "x", createdAt: 1, sourceScope: "s-1", source };
    const other = { id: "2", content: "y", createdAt: 2, sourceScope: "global" };
    await workspace.memories.save([item, other]);
    const pinned = { item: { ...item, pinned: true } };
    expect(await (await post("pin-memory", { id: "1", pinned: true })).json()).toEqual(pinned);
    expect((await state()).memories).toEqual([pinned.item, other]);
    expect(await (await post("pin-memory", { id: "1", pinned: false })).json()).toEqual({ item });
    expect((await post("pin-memory", { id: "1", pinned: "yes" })).status).toBe(400);
    expect((await post("pin-memory", { id: "3", pinned: true })).status).toBe(404);
    const turn = [
      { role: "user", content: "hello" },
      { role: "assistant", content: "Hello." },
    ];
    await workspace.recordTurn("s-1", turn, { model: { invoke: async () => ({}) } as never });
    expect((await state()).sessions).toMatchObject([{ sessionId: "s-1", memories: 1 }]);
    expect((await post("remove-session", { sessionId: "s-1", learned: 1 })).status).toBe(400);
    await post("remove-session", { sessionId: "s-1" });
    expect((await state()).memories).toHaveLength(2);
    await post("remove-session", { sessionId: "s-1", learned: true });
    expect((await state()).memories).toEqual([other]);
  });
});

describe("calls from elsewhere", () => {
  it("another site's call is refused, whatever it pretends", async () => {
    const { post, panel, workspace } = await makePanel({});
    const foreign = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "https://app.example.evil.example" },
      { origin: "https://app.example:8443" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ];
    for (const headers of foreign) {
      expect((await post("add-memory", { content: "x" }, headers)).status).toBe(403);
    }
    const withoutOrigin = new Request(`${site}/api/add-memory`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"content":"x"}',
    });
    expect((await panel(withoutOrigin)).status).toBe(403);
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "text/json", ""]) {
      expect((await post("add-memory", { content: "x" }, { "content-type": type })).status).toBe(415);
    }
    expect((await panel(new Request(`${site}/api/add-memory?content=x`))).status).toBe(405);
    expect(await workspace.memories.list()).toEqual([]);
  });

  it("a body that is too large or no JSON object is refused", async () => {
    const { post, panel } = await makePanel({});
    expect((await post("add-memory", { content: "x".repeat(70_000) })).status).toBe(413);
    for (const body of ["", "[]", "null", "{", '"x"'])
      expect((await post("add-memory", body)).status).toBe(400);
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(10_000)),
    });
    const streamed = new Request(`${site}/api/add-memory`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: site },
      body: endless,
      duplex: "half",
    } as RequestInit);
    expect((await panel(streamed)).status).toBe(413);
  });

  it("behind a proxy the origins are those that the app names", async () => {
    const { post } = await makePanel({}, { origins: ["https://public.example"] });
    const add = (origin: string) => post("add-memory", { content: "x" }, { origin });
    expect((await add("https://public.example")).status).toBe(200);
    expect((await add(site)).status).toBe(403);
  });

  it("every answer has a strict content security policy and is kept by no cache that is shared", async () => {
    const { get, post } = await makePanel({});
    const answers = [
      await get(""),
      await get("assets/main.js"),
      await get("api/state"),
      await get("assets/nothing.js"),
      await post("add-memory", { content: "" }),
    ];
    for (const { headers } of answers) {
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("style-src 'self';");
      expect(policy).not.toMatch(/unsafe|\*|https?:/u);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cache-control")).toMatch(/private/u);
      expect(headers.has("access-control-allow-origin")).toBe(false);
    }
    expect(answers[3]?.status).toBe(404);
  });
});

describe("the page", () => {
  it("finds its files under any path, and no path slips into it as HTML or as another host", async () => {
    const { panel } = await makePanel({});
    const pageAt = async (path: string) => (await panel(new Request(`${site}${path}`))).text();
    expect(await pageAt("/")).toContain('src="/assets/main.js"');
    expect(await pageAt("/a/b")).toContain('src="/a/b/assets/main.js"');
    expect(await pageAt("/a/b/")).toContain('src="/a/b/assets/main.js"');
    expect(await pageAt("//evil.example/")).toContain('src="/evil.example/assets/main.js"');
    expect(await pageAt(`/"><script>alert(1)</script>`)).not.toMatch(/<script>|"><script/u);
    const { panel: based } = await makePanel({}, { basePath: "/settings/memory/" });
    const page = await (await based(new Request(`${site}/settings/memory`))).text();
    expect(page).toContain('src="/settings/memory/assets/main.js"');
    expect((await based(new Request(`${site}/`))).status).toBe(200);
    expect((await based(new Request(`${site}/other`))).status).toBe(404);
    expect((await based(new Request(`${site}/settings/memory/api/state`))).status).toBe(200);
  });

  it("holds no inline script or style", async () => {
    const { get } = await makePanel({});
    const page = await (await get("")).text();
    expect(page).not.toMatch(/<style|style=|\son\w+=|javascript:/u);
    expect(page.match(/<script[^>]*>/gu)?.every((tag) => tag.includes("src="))).toBe(true);
  });

  it("every file that its scripts import is there, and none parses HTML", async () => {
    const { get } = await makePanel({});
    const page = await (await get("")).text();
    const names = [...page.matchAll(/\/assets\/([\w.-]+)/gu)].map(([, name]) => name as string);
    expect(names).toContain("main.js");
    for (const name of new Set(names)) {
      const response = await get(`assets/${name}`);
      expect([name, response.status]).toEqual([name, 200]);
      const text = await response.text();
      expect(text).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|DOMParser/u);
      for (const [, imported] of text.matchAll(/from "\.\/([\w.-]+)"/gu)) expect(names).toContain(imported);
    }
  });

  it("speaks the language that was chosen, that the app says, that the browser asks for, or the workspace's", async () => {
    const { get } = await makePanel({});
    const languageOf = async (response: Response) =>
      /<html lang="([\w-]+)"/u.exec(await response.text())?.[1];
    expect(await languageOf(await get(""))).toBe("zh-CN");
    expect(await languageOf(await get("", { "accept-language": "fr, en-GB;q=0.9, zh;q=0.8" }))).toBe("en");
    expect(await languageOf(await get("", { "accept-language": "en;q=0.5,zh-TW" }))).toBe("zh-CN");
    expect(await languageOf(await get("?lang=en"))).toBe("en");
    const { get: getEnglish } = await makePanel({}, { locale: "en" });
    expect(await languageOf(await getEnglish("", { "accept-language": "zh" }))).toBe("en");
    expect(await languageOf(await getEnglish("?lang=zh-CN"))).toBe("zh-CN");
  });

  it("an unchanged state and unchanged files are not sent again", async () => {
    const { get, workspace } = await makePanel({});
    for (const path of ["api/state", "assets/main.js"]) {
      const etag = (await get(path)).headers.get("etag") ?? "";
      const second = await get(path, { "if-none-match": etag });
      expect([path, second.status, await second.text()]).toEqual([path, 304, ""]);
    }
    const etag = (await get("api/state")).headers.get("etag") ?? "";
    await workspace.memories.add("new");
    expect((await get("api/state", { "if-none-match": etag })).status).toBe(200);
  });

  it("HEAD is GET without a body, other methods are refused", async () => {
    const { panel } = await makePanel({});
    for (const path of ["/", "/api/state"]) {
      const head = await panel(new Request(site + path, { method: "HEAD" }));
      expect([head.status, await head.text()]).toEqual([200, ""]);
      expect((await panel(new Request(site + path, { method: "PUT", body: "x" }))).status).toBeGreaterThan(
        403,
      );
    }
  });

  it("a budget shows what is injected and what is left out, and why", async () => {
    const { dir, state, workspace } = await makePanel({ canManageAssets: true });
    for (const name of ["b.md", "c.md", "d.md"]) {
      await writeFile(join(dir, "rules", name), `${name} ${"x".repeat(7000)}`);
    }
    await writeFile(join(dir, "rules", "empty.md"), "");
    await workspace.rules.setEnabled("b.md", false);
    await workspace.settings.update({ aiSkillsEnabled: false });
    await workspace.memories.add("fact");
    const { budgets } = await state();
    expect(budgets).toMatchObject([
      {
        kind: "rules",
        budget: 16_384,
        included: 3,
        leftOut: [
          { id: "b.md", reason: "off" },
          { id: "empty.md", reason: "empty" },
        ],
      },
      { kind: "skills", bytes: 0, included: 0, leftOut: [{ id: "a.md", reason: "off" }] },
      { kind: "memory", budget: 8192, included: 1, leftOut: [] },
    ]);
    await workspace.rules.setEnabled("b.md", true);
    const [rules] = (await state()).budgets;
    expect(rules?.leftOut).toContainEqual({ id: "d.md", reason: "budget" });
    expect(rules?.bytes).toBe((await workspace.assembleContext()).segments[0]?.bytes);
  });
});
