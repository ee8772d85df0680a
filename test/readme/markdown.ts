/** A fenced code block. */
export interface CodeBlock {
  readonly language: string;
  readonly code: string;
  /** Line of its first line of code, from 1. */
  readonly line: number;
}

export function codeBlocks(markdown: string): CodeBlock[] {
  return [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
    ({ 1: language = "", 2: code = "", index }) => ({
      language,
      code,
      line: markdown.slice(0, index).split("\n").length + 1,
    }),
  );
}

/** The tables of a text, each as its rows of cells, without heading and rule. */
export function tables(markdown: string): string[][][] {
  return [...markdown.matchAll(/(?:^\|.*\|\n)+/gm)].map(([table]) =>
    table.trim().split("\n").slice(2).map(cellsOf),
  );
}

/** What a text is made of, in order: headings by their level, paragraphs, lists by their length, tables, code. */
export function outline(markdown: string): string[] {
  return markdown
    .replace(/^```(\w+)\n[\s\S]*?^```$/gm, "```$1")
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map(kindOf);
}

function kindOf(part: string): string {
  const [, hashes] = /^(#+) /.exec(part) ?? [];
  if (hashes !== undefined) return `heading ${hashes.length}`;
  if (part.startsWith("```")) return `code ${part.slice(3)}`;
  if (part.startsWith("|")) return `table of ${part.split("\n").length - 2}`;
  if (part.startsWith("> ")) return "note";
  const items = part.match(/^(?:- |\d+\. )/gm)?.length ?? 0;
  return items > 0 ? `list of ${items}` : "paragraph";
}

function cellsOf(row: string): string[] {
  return row
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim());
}
