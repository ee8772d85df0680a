/** A fenced code block. */
export interface CodeBlock {
  /** Empty where the fence names none. */
  readonly language: string;
  readonly code: string;
  /** Line of its first line of code, from 1. */
  readonly line: number;
}

const fence = /^```(.*)\n([\s\S]*?)^```$/gm;

export function codeBlocks(markdown: string): CodeBlock[] {
  return [...markdown.matchAll(fence)].map(({ 1: language = "", 2: code = "", index }) => ({
    language,
    code,
    line: markdown.slice(0, index).split("\n").length + 1,
  }));
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
    .replace(fence, "```$1")
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map(kindOf);
}

/** Where a text's links and pictures lead. */
export function linksOf(markdown: string): string[] {
  const prose = markdown.replace(fence, "").replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
}

/** What `#…` may name: every heading as GitHub writes it, and what is anchored by hand. */
export function anchorsOf(markdown: string): string[] {
  const headings = [...markdown.replace(fence, "").matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-"),
  );
  const seen = new Map<string, number>();
  const numbered = headings.map((heading) => {
    const count = seen.get(heading) ?? 0;
    seen.set(heading, count + 1);
    return count === 0 ? heading : `${heading}-${count}`;
  });
  return [...numbered, ...[...markdown.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id)];
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
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}
