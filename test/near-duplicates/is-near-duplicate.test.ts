import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inKnownWords, isNearDuplicate } from "../../src/memory/near-duplicates/index.js";

describe("one fact in other words", () => {
  it.each([
    ["用户偏好 zsh", "用户喜欢用 zsh"],
    ["用户偏好 zsh", "用户偏好zsh。"],
    ["用户住在杭州", "用户居住在杭州"],
    ["用户养了一只叫豆包的猫", "用户有一只猫，名叫豆包"],
    ["项目使用 pnpm，不用 npm", "项目用 pnpm 而不是 npm"],
    ["用户有两个孩子", "用户有 2 个小孩"],
    ["用户讨厌香菜", "用户不喜欢香菜"],
    ["公司禁止使用外部服务", "公司不允许用外部服务"],
    ["用户要求不要使用 any 类型", "不要使用 any 类型"],
    ["项目的数据库是 PostgreSQL", "数据库用 PostgreSQL"],
    ["User prefers zsh.", "The user likes to use zsh"],
    ["User lives in Berlin", "The user is based in Berlin."],
    ["User doesn’t drink coffee.", "User never drinks coffee."],
    ["User prefers tabs over spaces.", "User likes tabs more than spaces."],
    ["User has two children.", "The user has 2 kids."],
    ["User's favourite editor is Helix.", "Helix is the user's favorite editor."],
    ["The limit is 5,000 euros.", "Limit: 5000 euros"],
    ["User prefers Vim keybindings.", "User likes Vim key bindings."],
    ["Ｕｓｅｒ uses pnpm", "User uses pnpm"],
  ])("%s / %s", (first, second) => {
    expect(isNearDuplicate(first, second)).toBe(true);
    expect(isNearDuplicate(second, first)).toBe(true);
  });
});

describe("two facts", () => {
  it.each([
    ["a denial", "用户偏好 zsh", "用户不用 zsh"],
    ["a denial", "用户偏好 zsh", "用户不喜欢 zsh"],
    ["a denial", "提交前运行测试", "提交前别运行测试"],
    ["a denial", "用户是素食者", "用户不是素食者"],
    ["a denial", "用户用非关系型数据库", "用户用关系型数据库"],
    ["a denial", "User likes coffee.", "User doesn't like coffee."],
    ["a denial", "User can swim.", "User can't swim."],
    ["a denial", "User can swim.", "User cannot swim."],
    ["a denial", "User eats meat.", "User never eats meat."],
    ["a denial", "User uses Redis.", "User no longer uses Redis."],
    ["a denial", "User wants answers with code.", "User wants answers without code."],
    ["what is denied", "User uses npm, not pnpm.", "User uses pnpm, not npm."],
    ["what is denied", "用户用 npm 而不是 pnpm", "用户用 pnpm 而不是 npm"],
    ["another place", "User lives in Berlin", "User lives in Bern"],
    ["another place", "用户住在杭州", "用户住在苏州"],
    ["another thing", "用户偏好 zsh", "用户偏好 fish"],
    ["another thing", "User writes Java.", "User writes JavaScript."],
    ["another name", "用户的猫叫豆包", "用户的猫叫豆豆"],
    ["another name", "The project is called lighthouse.", "The project is called lighthouse-web."],
    ["another number", "服务监听 8080 端口", "服务监听 8081 端口"],
    ["another number", "用户有两个孩子", "用户有三个孩子"],
    ["another number", "用户每天跑五公里", "用户每天跑十五公里"],
    ["another number", "User's team has 12 people.", "User's team has 21 people."],
    ["another number", "User is in third grade.", "User is in fourth grade."],
    ["another day", "User has a meeting every Wednesday.", "User has a meeting every Friday."],
    ["another day", "用户周二打球", "用户周四打球"],
    ["another person", "用户的父母住在南京市鼓楼区的老房子里", "用户住在南京市鼓楼区的老房子里"],
    [
      "another time",
      "User used to feed the goldfish every evening.",
      "User feeds the goldfish every evening.",
    ],
    ["another time", "User worked at a bank in Zurich.", "User works at a bank in Zurich."],
    ["who is and who has", "User is a tutor.", "User has a tutor."],
    ["who is and who has", "用户是律师", "用户有律师"],
    ["the other way round", "用户从北京搬到上海", "用户从上海搬到北京"],
    ["the other way round", "User prefers tabs over spaces.", "User prefers spaces over tabs."],
    [
      "the other way round",
      "User writes crawlers in Go and services in C.",
      "User writes crawlers in C and services in Go.",
    ],
    ["one says more", "用户喜欢喝茶", "用户喜欢喝茶时看书"],
    ["one says more", "User plays guitar in a band.", "User plays electric guitar in a band."],
    ["of the user or the project", "用户用 npm", "项目用 npm"],
    ["a wish and a fact", "User wants a dog.", "User has a dog."],
    ["a plan and a fact", "用户打算搬到厦门", "用户搬到厦门"],
    ["like and live", "User likes Berlin.", "User lives in Berlin."],
    ["nothing but what says nothing", "用户", "用户的"],
    ["nothing but what says nothing", "The user is.", "The user has."],
    ["no words at all", "", "……"],
  ])("%s: %s / %s", (_why, first, second) => {
    expect(isNearDuplicate(first, second)).toBe(false);
    expect(isNearDuplicate(second, first)).toBe(false);
  });
});

const piece = fc.oneof(
  fc.constantFrom(
    "用户",
    "喜欢",
    "不",
    "住在",
    "杭州",
    "3",
    "两",
    "个",
    "user",
    "likes",
    "not",
    "Berlin",
    "to",
    "'s",
    ",",
    "\u0000",
  ),
  fc.string({ unit: "grapheme", maxLength: 5 }),
);
const anyText = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(" "));

describe("any two texts", () => {
  it("are told the same in either order, and never throw", () => {
    fc.assert(
      fc.property(anyText, anyText, (first, second) => {
        expect(isNearDuplicate(first, second)).toBe(isNearDuplicate(second, first));
      }),
    );
  });

  it("are two where one has a number that the other lacks", () => {
    fc.assert(
      fc.property(anyText, anyText, (first, second) => {
        expect(isNearDuplicate(`${first} 7345`, second.replaceAll("7345", ""))).toBe(false);
      }),
    );
  });
});

describe("new facts in known words", () => {
  const fact = (id: string, content: string) => ({ id, content });

  it("are the words of what is known, or of the first of the new ones", () => {
    const known = [fact("1", "用户偏好 zsh"), fact("2", "用户不用 zsh")];
    const facts = [fact("a", "用户喜欢用 zsh"), fact("b", "用户住在杭州"), fact("c", "用户居住在杭州")];
    expect(inKnownWords(facts, known)).toEqual([
      fact("a", "用户偏好 zsh"),
      fact("b", "用户住在杭州"),
      fact("c", "用户住在杭州"),
    ]);
  });

  it("are its own where it takes the place of what is known", () => {
    const [known, fresh] = [fact("1", "用户偏好 zsh"), fact("a", "用户喜欢用 zsh")];
    expect(inKnownWords([fresh], [known], ({ id }, old) => id === "a" && old.id === "1")).toEqual([fresh]);
  });
});
