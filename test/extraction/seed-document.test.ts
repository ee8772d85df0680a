import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fact, makeWorld, sessionRecord, storedItems } from "./world.js";

/** Section 8 of the first document, test by test. */
describe("8. 测试与验证：后端单测", () => {
  it("ai_save_memories 上限淘汰：写入超过 limit 的条目，验证最旧被淘汰", async () => {
    const { dir, workspace } = await makeWorld({ limit: 10 });
    const items = Array.from({ length: 13 }, (_, index) => ({
      id: `${index}`,
      content: `记忆 ${index}`,
      createdAt: index,
      sourceScope: "global",
    }));
    await workspace.memories.save([...items].reverse());
    expect((await storedItems(dir)).map(({ id }) => id)).toEqual(items.slice(3).map(({ id }) => id));
  });

  it("ai_list_memories 解析失败降级：写入非法 JSON，验证返回空而非报错", async () => {
    const { dir, workspace } = await makeWorld();
    await mkdir(join(dir, "memory"), { recursive: true });
    await writeFile(join(dir, "memory", "memory.json"), '[{"id": "1", "content":');
    expect(await workspace.memories.list()).toEqual([]);
  });

  it("ai_clear_memories 幂等：文件不存在时调用不报错", async () => {
    const { workspace } = await makeWorld();
    expect(await workspace.memories.clear()).toBe(0);
    expect(await workspace.memories.clear()).toBe(0);
  });
});

describe("8. 测试与验证：前端", () => {
  it("提取触发条件：字符数不足 4000 时不触发", async () => {
    const { model, turnOf } = await makeWorld();
    await turnOf(3999);
    expect(model.requests).toHaveLength(0);
    await turnOf(3);
    expect(model.requests).toHaveLength(1);
  });

  it("合并去重：新旧 content 相同时保留旧 id/createdAt", async () => {
    const { workspace, turnOf, clock } = await makeWorld({ replies: [fact("用户使用 zsh")] });
    const old = await workspace.memories.add("用户使用 zsh");
    clock.advance(1000);
    await turnOf(4000);
    expect(await workspace.memories.list()).toEqual([old]);
  });

  it("注入预算：超 8KB 时最旧条目被丢弃并标注", async () => {
    const { workspace, clock } = await makeWorld();
    for (let index = 0; index < 20; index++) {
      clock.advance(1000);
      await workspace.memories.add(`${index}：${"记".repeat(190)}`);
    }
    const { text } = await workspace.assembleContext();
    const kept = [...text.matchAll(/^- (\d+)：/gm)].map(([, index]) => Number(index));
    expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(8192);
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, index) => 20 - kept.length + index));
    expect(text).toMatch(new RegExp(`（其余 ${20 - kept.length} 条记忆因总量超限未注入）$`));
  });
});

describe("8. 测试与验证：手工验证", () => {
  it("开启记忆后完成一轮 ≥ 4000 字符的对话，记忆列表出现条目", async () => {
    const { workspace, turnOf } = await makeWorld({ replies: [fact("用户使用 zsh")] });
    await turnOf(4000, "会话一");
    expect(await workspace.memories.list()).toMatchObject([
      { content: "用户使用 zsh", sourceScope: "会话一" },
    ]);
  });

  it("关闭总开关后对话，记忆不注入、不提取", async () => {
    const { workspace, turnOf, model } = await makeWorld();
    await workspace.memories.add("用户使用 zsh");
    await workspace.settings.update({ aiMemoryEnabled: false });
    await turnOf(8000);
    expect(model.requests).toHaveLength(0);
    expect((await workspace.assembleContext()).segments).toEqual([]);
  });

  it("手动添加/删除/清空功能正常", async () => {
    const { dir, workspace } = await makeWorld();
    const one = await workspace.memories.add("用户使用 zsh");
    const two = await workspace.memories.add("用户使用 pnpm");
    expect(await workspace.memories.remove(one.id)).toBe(true);
    expect(JSON.parse(await readFile(join(dir, "memory", "memory.json"), "utf8"))).toEqual([two]);
    expect(await workspace.memories.clear()).toBe(1);
    expect(await workspace.memories.list()).toEqual([]);
  });

  it("重启应用后 extractedUpTo 从上次位置继续，不重复提取", async () => {
    const first = await makeWorld();
    await first.turnOf(4000);
    const cursor = (await sessionRecord(first.workspace.store))?.extractedUpTo;
    expect(cursor).toEqual(expect.any(String));
    const next = await makeWorld({ dir: first.dir });
    await next.turnOf(3999);
    expect(next.model.requests).toHaveLength(0);
    expect((await sessionRecord(next.workspace.store))?.extractedUpTo).toBe(cursor);
    await next.turnOf(3);
    expect(next.model.requests).toHaveLength(1);
    expect((await sessionRecord(next.workspace.store))?.extractedUpTo).not.toBe(cursor);
  });
});
