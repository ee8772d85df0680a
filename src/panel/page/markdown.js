import { element } from "./dom.js";

/** Elements for a preview, one by one from the values that the server read out of the Markdown. */
export function markdownElements(blocks) {
  return blocks.map(blockElement);
}

function blockElement(block) {
  switch (block.type) {
    case "heading":
      // The preview stands under the dialog's own heading.
      return element(`h${Math.min(6, Math.max(1, block.level) + 2)}`, {}, inlines(block.content));
    case "paragraph":
      return element("p", {}, inlines(block.content));
    case "code":
      return element("pre", {}, element("code", {}, block.text));
    case "quote":
      return element("blockquote", {}, markdownElements(block.blocks));
    case "list": {
      const items = block.items.map((item) => element("li", {}, markdownElements(item)));
      return block.start === undefined
        ? element("ul", {}, items)
        : element("ol", { start: block.start }, items);
    }
    case "table": {
      const [head = [], ...rows] = block.rows;
      return element(
        "table",
        {},
        element("thead", {}, element("tr", {}, cells(head, "th"))),
        element(
          "tbody",
          {},
          rows.map((row) => element("tr", {}, cells(row, "td"))),
        ),
      );
    }
    default:
      return element("hr");
  }
}

function cells(row, tag) {
  return row.map((content) => element(tag, {}, inlines(content)));
}

function inlines(content) {
  return content.map(inlineElement);
}

function inlineElement(inline) {
  if (typeof inline === "string") return inline;
  switch (inline.type) {
    case "strong":
      return element("strong", {}, inlines(inline.content));
    case "emphasis":
      return element("em", {}, inlines(inline.content));
    case "deleted":
      return element("del", {}, inlines(inline.content));
    case "code":
      return element("code", {}, inline.text);
    case "link": {
      const properties = { href: inline.href, target: "_blank", rel: "noopener noreferrer" };
      return element("a", properties, inlines(inline.content));
    }
    default:
      return element("br");
  }
}
