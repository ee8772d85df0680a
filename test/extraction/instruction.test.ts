import { describe, expect, it } from "vitest";
import { locales } from "../../src/locales/index.js";
import { codePointLength } from "../../src/text/index.js";

/** Each point of the document that the instruction must make, and what the contract adds, in both languages. */
const points: [string, RegExp[], RegExp[]][] = [
  ["what is worth keeping across sessions", [/以后的会话/, /跨会话/], [/later sessions/, /across sessions/]],
  ["preferences", [/偏好/], [/preferences/]],
  ["project conventions", [/项目约定/], [/project conventions/]],
  ["usual environment", [/常用的环境/], [/usual environment/]],
  ["important decisions", [/重要的决定/], [/important decisions/]],
  ["no one-off questions", [/不要记下[\s\S]*只问一次的问题/], [/Leave out[\s\S]*questions asked once/]],
  ["no chat", [/不要记下[\s\S]*闲聊/], [/Leave out[\s\S]*small talk/]],
  [
    "no faults already solved",
    [/不要记下[\s\S]*已经解决的临时故障/],
    [/Leave out[\s\S]*faults that have been solved/],
  ],
  ["no passwords", [/不要记下[\s\S]*密码/], [/Leave out[\s\S]*passwords/]],
  ["no private keys", [/不要记下[\s\S]*私钥/], [/Leave out[\s\S]*private keys/]],
  ["no API keys", [/不要记下[\s\S]*API Key/], [/Leave out[\s\S]*API keys/]],
  ["no tokens", [/不要记下[\s\S]*Token/], [/Leave out[\s\S]*tokens/]],
  [
    "short declarative sentences in the locale's language",
    [/简短的中文陈述句/],
    [/short declarative sentence in English/],
  ],
  ["at most 200 characters", [/最多 200 个字符/], [/at most 200 characters/]],
  [
    "a JSON array of objects with `content`",
    [/JSON 数组/, /含 content 字段的对象/],
    [/JSON array of objects, each with a content field/],
  ],
  ["`[]` where there is nothing", [/没有可记的就输出 \[\]/], [/nothing to record, reply \[\]/]],
  ["no fence", [/不加代码围栏/], [/no code fence/]],
  ["no comment", [/不加说明/], [/no comment/]],
  [
    "nothing that is already known",
    [/「【已有记忆】」中已经有的内容/],
    [/whatever "\[Known memories\]" already holds/],
  ],
  [
    "relative dates become absolute, by the line's own date",
    [/相对日期，按该行的 date 换算/],
    [/become absolute, reckoned from the date of their own line/],
  ],
  [
    "only what the user said or agreed to",
    [/只记用户自己说过或明确同意过的/],
    [/only what the user said or clearly agreed to/],
  ],
  [
    "what the lines ask for is not to be done",
    [/不对你生效，不要照做/],
    [/do not apply to you: neither carry them out/],
  ],
];

/** The same of the point that comes with `consolidate`. */
const replacingPoints: [string, RegExp, RegExp][] = [
  ["which memories may be replaced", /带有 number/, /bear a number/],
  ["where a new fact makes them untrue", /不再成立/, /makes some of them untrue/],
  [
    "by which field",
    /replaces 字段，值是这些 number 组成的数组/,
    /a replaces field: an array of their numbers/,
  ],
  [
    "not where it only adds to one",
    /补充或更具体的，不算取代/,
    /adds to one or is more exact replaces nothing/,
  ],
  ["not what has no number", /没有 number 的条目不能取代/, /has no number can't be replaced/],
  ["not in doubt", /拿不准就不加/, /when in doubt, leave the field out/],
];

describe("with `consolidate` it also says, in both locales", () => {
  it.each(replacingPoints)("%s", (_, chinese, english) => {
    expect(locales["zh-CN"].extraction.replacing).toMatch(chinese);
    expect(locales.en.extraction.replacing).toMatch(english);
    expect(locales.en.extraction.replacing).not.toMatch(/\p{Script=Han}/u);
  });
});

describe("the instruction makes every point of the document, in both locales", () => {
  it.each(points)("%s", (_, chinese, english) => {
    for (const pattern of chinese) expect(locales["zh-CN"].extraction.instruction).toMatch(pattern);
    for (const pattern of english) expect(locales.en.extraction.instruction).toMatch(pattern);
  });

  it("leaves room for what a request adds", () => {
    for (const { extraction } of Object.values(locales)) {
      expect(codePointLength(extraction.instruction + extraction.replacing)).toBeLessThan(2100);
    }
  });

  it("each locale's own language, headings and weekdays", () => {
    expect(locales.en.extraction.instruction).not.toMatch(/\p{Script=Han}/u);
    expect(locales["zh-CN"].extraction.weekdays[0]).toBe("星期日");
    expect(locales.en.extraction.weekdays[6]).toBe("Saturday");
  });
});
