import { describe, expect, it } from "vitest";
import { askedIn } from "../../src/selection/index.js";

describe("what asks for something", () => {
  it.each([
    "Where did I park?",
    "please sum up what you know about my garden",
    "Write a letter to my landlord",
    "Can you book it",
    "我的猫叫什么名字",
    "帮我写一封邮件",
    "推荐几本书",
    "私のペットの名前を教えて",
    "제 고양이 이름 알려 주세요",
    "¿Dónde vivo?",
  ])("%j does", (words) => {
    expect(askedIn(words)).toBe(words);
  });

  it.each([
    "I moved to Kazan last week.",
    "Thanks, that helped!",
    "好的，谢谢",
    "我昨天搬家了。",
    "And how are you doing?",
    "你最近过得好吗？",
    "",
  ])("%j does not", (words) => {
    expect(askedIn(words)).toBe("");
  });

  it("only the sentences that ask are looked at", () => {
    expect(askedIn("I was in Kazan. Where is my passport? It rained.")).toBe(" Where is my passport?");
  });
});
