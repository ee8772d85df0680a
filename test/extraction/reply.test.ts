import { AIMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { readReply } from "../../src/memory/extraction/reply.js";
import { cpuTimeOf } from "../support/cpu-time.js";
import { fact, longTalk, makeWorld } from "./world.js";

const contents = (reply: unknown) => readReply(reply)?.map(({ content }) => content);

describe("a reply is accepted in every shape that models give it", () => {
  it.each([
    ["an array of objects", '[{"content":"A"},{"content":"B"}]', ["A", "B"]],
    ["an array with blanks around it", '\n  [{"content":"A"}]  \n', ["A"]],
    ["an object with one array in it", '{"memories":[{"content":"A"}]}', ["A"]],
    ["an object with one array of strings", '{"facts":["B"]}', ["B"]],
    ["an array of strings", '["C"]', ["C"]],
    ["one object with content", '{"content":"D"}', ["D"]],
    ["an object with one such object in it", '{"memories":{"content":"E"}}', ["E"]],
    ["objects in objects", '{"result":{"memories":[{"content":"F"}]}}', ["F"]],
    ["an array in an array", '[[{"content":"G"}]]', ["G"]],
    ["an object in an array", '[{"memories":[{"content":"H"}]}]', ["H"]],
    ["one object a line", '{"content":"I"}\n{"content":"J"}\n', ["I", "J"]],
    ["other fields beside content", '[{"content":"K","id":7,"createdAt":"now"}]', ["K"]],
    ["an array beside other fields", '{"count":1,"memories":[{"content":"L"}],"note":"none"}', ["L"]],
    ["nothing to keep", "[]", []],
    ["nothing to keep, wrapped", '{"memories":[]}', []],
    ["a fence", '```json\n[{"content":"A"}]\n```', ["A"]],
    ["a fence without a language", '```\n[{"content":"A"}]\n```', ["A"]],
    ["a fence that is not closed", '```json\n[{"content":"A"}]', ["A"]],
    [
      "a fence and prose after it",
      '```json\n[{"content":"Prefers tabs over spaces"}]\n```\nI found one.',
      ["Prefers tabs over spaces"],
    ],
    ["prose before and after", 'Here [as asked] it is: [{"content":"A"}] Good luck!', ["A"]],
    ["prose that quotes a list after it", '[{"content":"A"}]\nI left out ["small talk"].', ["A"]],
    ["prose with quotation marks and brackets", 'He said "[sic]" and {so on}.\n[{"content":"A"}]', ["A"]],
    ["a draft before the answer", 'First: [{"content":"draft"}]. Better: [{"content":"A"}]', ["A"]],
    ["an empty fence around nothing", "```json\n[]\n```", []],
  ])("%s", (_, reply, expected) => {
    expect(contents(reply)).toEqual(expected);
  });

  it.each(["think", "thinking", "thought", "reasoning", "THINK"])(
    "reasoning in <%s> tags with a draft in it",
    (tag) => {
      const draft = '[{"content":"User is a lawyer"}]? No, that was a joke.';
      const answer = '[{"content":"User works as a nurse"}]';
      expect(contents(`<${tag}>Maybe ${draft}</${tag}>\n${answer}`)).toEqual(["User works as a nurse"]);
      expect(contents(`${draft}</${tag}>\n${answer}`)).toEqual(["User works as a nurse"]);
      expect(contents(`<${tag}>Maybe ${draft}</${tag}>\n[]`)).toEqual([]);
    },
  );

  it("JSON whose strings speak of fences or tags is not cleaned", () => {
    const reply = JSON.stringify([
      { content: "Wants ```json fences``` in the docs" },
      { content: "Strips </think> tags" },
    ]);
    const expected = ["Wants ```json fences``` in the docs", "Strips </think> tags"];
    expect(contents(reply)).toEqual(expected);
    expect(contents(`\`\`\`json\n${reply}\n\`\`\``)).toEqual(expected);
    expect(contents(`<think>About </thinking> and such.</think>\n\`\`\`json\n${reply}\n\`\`\``)).toEqual(
      expected,
    );
  });

  it("content blocks are joined", async () => {
    const { contents: stored, say } = await makeWorld({
      replies: [
        new AIMessage({
          content: [
            { type: "reasoning", reasoning: '[{"content":"draft"}]' },
            { type: "text", text: '[{"content":' },
            { type: "text", text: '"Likes tea"}]' },
          ],
        }),
      ],
    });
    await say(longTalk);
    expect(await stored()).toEqual(["Likes tea"]);
  });
});

describe("from an item `content` alone is taken, trimmed, made one line and cut to 200", () => {
  it("one line", () => {
    expect(contents('[{"content":"  uses\\n# System\\tzsh \\u202e "}]')).toEqual(["uses # System zsh"]);
  });

  it("200 characters are stored, no half emoji", async () => {
    const { contents: stored, say } = await makeWorld({
      replies: [fact(`${"字".repeat(199)}👨‍👩‍👧尾`), fact("𝒳".repeat(300))],
    });
    await say(longTalk);
    await say(longTalk);
    expect(await stored()).toEqual(["字".repeat(199), "𝒳".repeat(200)]);
  });

  it("the session's number is read as a number or as digits, and nothing else as one", () => {
    const reply = JSON.stringify(
      [1, "2", 1.5, "one", null, {}, [1]].map((session) => ({ content: "A", session })),
    );
    expect(readReply(reply)?.map(({ session }) => session)).toEqual([
      1,
      2,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("unusable items are dropped alone", () => {
  it.each([
    ["not a string", '[{"content":"A"},{"content":5},{"content":null},{"content":{"a":1}},{"content":"B"}]'],
    ["not an object", '[{"content":"A"},null,7,true,[],"B"]'],
    ["empty", '[{"content":"A"},{"content":""},{"content":" \\n "},{"content":"\\u200b"},{"content":"B"}]'],
    ["without content", '[{"content":"A"},{"text":"x"},{},{"content":"B"}]'],
  ])("%s", (_, reply) => {
    expect(contents(reply)).toEqual(["A", "B"]);
  });
});

describe("a reply cut short keeps nothing, and so does anything else that is not JSON", () => {
  it.each([
    ["cut in a fact", '[{"content":"Speaks Finnish"},{"content":"Has allerg'],
    ["cut between facts", '[{"content":"Speaks Finnish"},'],
    ["cut at the start", '[{"con'],
    ["cut behind prose", 'Here it is:\n[{"content":"Speaks Finnish"},{"content":"Has'],
    ["cut in a fence", '```json\n[{"content":"Speaks Finnish"},{"content":"Has\n```'],
    ["cut on a line of its own", '{"content":"Speaks Finnish"}\n{"content":"Has allerg'],
    ["cut in its reasoning", '<think>Maybe [{"content":"Speaks Finnish"}] but'],
    ["a refusal", "I cannot help with that."],
    ["a refusal with brackets", "I cannot help [policy 7] with {that}."],
    ["nothing", ""],
    ["blanks", "  \n"],
    ["prose", "No new facts."],
    ["a number", "42"],
    ["a JSON string", '"nothing"'],
    ["null", "null"],
    ["an empty object", "{}"],
    ["two arrays in an object", '{"a":[{"content":"A"}],"b":[{"content":"B"}]}'],
    ["items of another shape", '[{"fact":"A"},{"fact":"B"}]'],
    ["numbers", "[1,2]"],
    ["broken JSON", "[{'content': 'A'}]"],
    ["an HTML page", "<html><body>[502] Bad {gateway}</body></html>"],
  ])("%s", (_, reply) => {
    expect(contents(reply)).toBeUndefined();
  });

  it.each([undefined, null, 5, true, new Date(0), () => "[]"])("a value that is no reply: %s", (reply) => {
    expect(readReply(reply)).toBeUndefined();
  });
});

describe("a hostile reply costs time in proportion to its length", () => {
  const size = 1_000_000;
  const repeated = (text: string, length = size) => text.repeat(Math.ceil(length / text.length));
  const hostile: Record<string, (length: number) => string> = {
    "opening brackets": (length) => `x${repeated("[", length)}`,
    "opening braces": (length) => `x${repeated("{", length)}`,
    "nested arrays": (length) => repeated("[", length / 2) + repeated("]", length / 2),
    "nested and broken": (length) => `${repeated("[", length / 2)}x${repeated("]", length / 2)}`,
    "nested objects": (length) => `${repeated('{"a":', length)}1${repeated("}", length / 5)}`,
    "objects begun in prose": (length) => repeated("{a ", length),
    "closed pairs": (length) => repeated("[x] ", length),
    "quotation marks": (length) => `[${repeated('"', length)}`,
    backslashes: (length) => `["${repeated("\\", length)}`,
    "closing tags": (length) => repeated("</think>", length),
    "tags and brackets": (length) => repeated("</think>[", length),
    "opening tags": (length) => repeated("<think>", length),
    fences: (length) => repeated("```json\n", length),
    "many facts": (length) => `[${repeated('{"content":"A"},', length)}{"content":"B"}]`,
    "one long fact": (length) => `prose [{"content":"${repeated("\u0300a", length)}"}]`,
    "lone surrogates": (length) => `[{"content":"${repeated("\\ud800", length)}"}]`,
    blanks: (length) => `${repeated(" ", length)}x`,
  };

  it.each(Object.entries(hostile))("%s", async (_, make) => {
    const best = async (reply: string) => {
      const samples: number[] = [];
      for (let run = 0; run < 3; run++) samples.push(await cpuTimeOf(() => readReply(reply)));
      return Math.min(...samples);
    };
    const [small, large] = [make(size / 8), make(size)];
    await best(small);
    // Eight times the text: a quadratic reader takes 64 times as long. The milliseconds cover the collector of garbage.
    expect(await best(large)).toBeLessThan(40 * ((await best(small)) + 3));
  });
});
