import { expect, it } from "vitest";
import { parseMarkdown } from "../../src/panel/preview.js";

it("a preview holds no HTML, no picture and no link but to a page or a mailbox", async () => {
  const hostile = [
    "<script>alert(1)</script>",
    "text <img src=x onerror=alert(1)> text",
    "[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](data:text/html,x) [d](/relative) [e](vbscript:x)",
    "[f](https://example.com/?a=1&b=2) <https://example.org> [g](mailto:a@example.com)",
    "![alt text](https://tracker.example/pixel.png)",
  ].join("\n\n");
  const blocks = await parseMarkdown(hostile);
  const links = JSON.stringify(blocks).match(/"href":"[^"]*"/gu);
  expect(links).toEqual([
    '"href":"https://example.com/?a=1&b=2"',
    '"href":"https://example.org"',
    '"href":"mailto:a@example.com"',
  ]);
  expect(blocks[0]).toEqual({ type: "paragraph", content: ["<script>alert(1)</script>"] });
  expect(JSON.stringify(blocks)).not.toContain("tracker.example");
  expect(JSON.stringify(blocks)).toContain("alt text");
});

it("shows headings, lists, tasks, code, quotes, tables and emphasis", async () => {
  const blocks = await parseMarkdown(
    "## Title\n\n3. one\n4. two\n   - inner\n\n- [x] done\n\n```sh\nls <a> &amp;\n```\n\n> quoted\n\n|a|b|\n|-|-|\n|1|**2**|\n\n---\n\n*e* ~~d~~ `c<d` a & b  \nnext",
  );
  expect(blocks).toMatchObject([
    { type: "heading", level: 2, content: ["Title"] },
    { type: "list", start: 3, items: [[{ content: ["one"] }], [{ content: ["two"] }, { type: "list" }]] },
    { type: "list" },
    { type: "code", text: "ls <a> &amp;" },
    { type: "quote", blocks: [{ type: "paragraph", content: ["quoted"] }] },
    {
      type: "table",
      rows: [
        [["a"], ["b"]],
        [["1"], [{ type: "strong", content: ["2"] }]],
      ],
    },
    { type: "line" },
    {
      type: "paragraph",
      content: [
        { type: "emphasis", content: ["e"] },
        " ",
        { type: "deleted", content: ["d"] },
        " ",
        { type: "code", text: "c<d" },
        " a & b",
        { type: "break" },
        "next",
      ],
    },
  ]);
  expect(JSON.stringify(blocks[2])).toContain("☑ ");
});

it("a file that is nested too deep for the parser is shown as it is", async () => {
  const hostile = ">".repeat(30_000);
  const blocks = await parseMarkdown(hostile);
  expect(JSON.stringify(blocks).length).toBeGreaterThan(30_000);
});
