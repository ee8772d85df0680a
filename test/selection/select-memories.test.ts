import { describe, expect, it } from "vitest";
import { type MemoryItem, relevantTo, selectMemories } from "../../src/index.js";
import { bytesOf, fact, manyFacts } from "./facts.js";

const budgetBytes = 512;

/** The contents that a question brings in from among many other facts. */
function chosenFor(query: string, ...facts: string[]): string[] {
  const memories = [...facts.map((content) => fact(content, -1)), ...manyFacts()];
  return selectMemories(memories, { query, budgetBytes, selection: "relevant" }).map(
    ({ content }) => content,
  );
}

describe("selection by words", () => {
  it.each([
    ["What does my sister do for a living?", "The user's sister works as a nurse"],
    ["Which bikes did she ride?", "The user's daughter was riding a red bike"],
    ["用户的猫叫什么", "用户养了一只猫，名叫豆包"],
    ["我平时用哪个包管理器", "项目使用 pnpm 作为包管理器"],
    ["我的 nvim 配置在哪里", "用户用nvim写代码"],
    ["ペットの名前は何ですか", "ユーザーのペットの名前はポチです"],
    ["コーヒーは好き", "ユーザーは毎朝コーヒーを飲む"],
    ["고양이 이름이 뭐야", "사용자는 고양이를 키운다"],
    ["Где я работаю программистом?", "Пользователь работал программистом в Казани"],
    ["Wo wohne ich in München?", "Der Nutzer wohnt in Munchen"],
    ["مكان عملي في دبي", "يعمل المستخدم في دبي"],
    ["แมวของฉันชื่ออะไร", "ผู้ใช้มีแมวหนึ่งตัว"],
    ["मेरी बिल्ली का नाम", "उपयोगकर्ता के पास एक बिल्ली है"],
    ["ｎｅｏｖｉｍ 用得怎么样", "用户偏好 neovim"],
  ])("finds the old fact that %j is about", (query, answer) => {
    expect(chosenFor(query, answer)).toContain(answer);
  });

  it("finds what is told in other words of the same topic, also in the other language", () => {
    expect(chosenFor("Which editor do I like?", "用户写代码用 nvim")).toContain("用户写代码用 nvim");
    expect(chosenFor("我的职业是什么", "The user's employer is a bakery")).toContain(
      "The user's employer is a bakery",
    );
  });

  it("keeps a share for the newest, whatever is asked", () => {
    const memories = [...manyFacts(), fact("brand new", 10_000)];
    const chosen = selectMemories(memories, { query: "telescope", budgetBytes, selection: "relevant" });
    expect(chosen.at(-1)?.content).toBe("brand new");
    expect(chosen.filter(({ content }) => content.includes("telescope")).length).toBeGreaterThan(5);
  });

  it("is the newest where no word is found, or nothing is asked", () => {
    const memories = manyFacts();
    const newest = selectMemories(memories, { query: "", budgetBytes, selection: "newest" });
    for (const query of ["", "   ", "?!", "the of and", "qwxyz", "\u{1F600}"]) {
      expect(selectMemories(memories, { query, budgetBytes, selection: "relevant" })).toEqual(newest);
    }
  });

  it("looks at the beginning and the end of a long text", () => {
    const filler = "lorem ipsum dolor ".repeat(5000);
    for (const query of [`Is the cello in tune? ${filler}`, `${filler} Is the cello in tune?`]) {
      expect(chosenFor(query, "The user plays the cello")).toContain("The user plays the cello");
    }
  });

  it("notices that a list has changed", () => {
    const memories = manyFacts();
    const ask = () =>
      selectMemories(memories, { query: "the zither", budgetBytes, selection: "relevant" }).map(
        ({ content }) => content,
      );
    expect(ask()).not.toContain("The user owns a zither");
    memories[3] = fact("The user owns a zither", 3);
    expect(ask()).toContain("The user owns a zither");
    memories.splice(3, 1);
    expect(ask()).not.toContain("The user owns a zither");
  });
});

describe("any selection", () => {
  it("gives all where all fit, oldest first", () => {
    const memories = [fact("b", 2), fact("a", 1), fact("c", 3)];
    for (const selection of ["newest", "relevant"] as const) {
      const chosen = selectMemories(memories, { query: "c", budgetBytes: bytesOf(memories), selection });
      expect(chosen.map(({ content }) => content)).toEqual(["a", "b", "c"]);
    }
  });

  it("newest: ends with the first that does not fit", () => {
    const memories = [fact("old", 1), fact("x".repeat(100), 2), fact("new", 3)];
    const chosen = selectMemories(memories, { query: "", budgetBytes: 20, selection: "newest" });
    expect(chosen.map(({ content }) => content)).toEqual(["new"]);
  });

  it("keeps pinned memories first, as far as they fit", () => {
    const pinned = fact("note about nothing in particular", -1, { pinned: true });
    const memories = [pinned, ...manyFacts()];
    for (const selection of ["newest", "relevant", () => []] as const) {
      const options = { query: "telescope", budgetBytes, selection: selection as "newest" };
      expect(selectMemories(memories, options)).toContain(pinned);
      expect(selectMemories(memories, { ...options, budgetBytes: 10 })).toEqual([]);
    }
  });

  it("may be a function: what it gives is kept as far as the budget goes, the first ones first", () => {
    const memories = manyFacts();
    const [a, b, c] = [memories[40], memories[2], memories[30]] as [MemoryItem, MemoryItem, MemoryItem];
    const strangers = [fact("not one of them")];
    const chosen = selectMemories(memories, {
      query: "q",
      budgetBytes: bytesOf([a, b]),
      selection: (given, request) => {
        expect(given).toEqual(memories);
        expect(request).toEqual({ query: "q", budgetBytes: bytesOf([a, b]) });
        return [a, ...strangers, { ...b }, b, c];
      },
    });
    expect(chosen).toEqual([b, a]);
  });

  it("gives a promise where the function does", async () => {
    const memories = manyFacts();
    const selection = async (given: readonly MemoryItem[]) => given.slice(0, 1);
    expect(await selectMemories(memories, { query: "", budgetBytes, selection })).toEqual([memories[0]]);
  });

  it("takes memories of any shape that have a content and a time", () => {
    const memories = Array.from({ length: 50 }, (_, id) => ({ id, content: `fact ${id}`, createdAt: id }));
    const chosen = selectMemories(memories, { query: "fact 7", budgetBytes: 100, selection: "relevant" });
    expect(chosen.map(({ id }) => id)).toContain(7);
  });

  it("refuses what is no selection", () => {
    const select = (selection: unknown) =>
      selectMemories([], { query: "", budgetBytes: 1, selection: selection as "newest" });
    expect(() => select("oldest")).toThrow(RangeError);
    expect(() => select(undefined)).toThrow(TypeError);
    expect(() => relevantTo({} as never)).toThrow("embeddings must be embeddings");
  });
});
