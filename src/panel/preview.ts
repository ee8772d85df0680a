import type { Token, Tokens } from "marked";
import { MemoryError } from "../errors.js";
import { cutToBytes } from "../text/index.js";
import type { MemoryWorkspace } from "../workspace/index.js";

/**
 * Markdown as plain values, of which the page builds its elements one by one: no HTML of a file, and none of the parser's,
 * is ever made. HTML in a file stays the text that it is; pictures are their alternative text, since loading one would
 * tell its server who looks.
 */
export type PreviewBlock =
  | { readonly type: "heading"; readonly level: number; readonly content: readonly PreviewInline[] }
  | { readonly type: "paragraph"; readonly content: readonly PreviewInline[] }
  | { readonly type: "code"; readonly text: string }
  | { readonly type: "quote"; readonly blocks: readonly PreviewBlock[] }
  | { readonly type: "list"; readonly start?: number; readonly items: readonly (readonly PreviewBlock[])[] }
  | { readonly type: "table"; readonly rows: readonly (readonly (readonly PreviewInline[])[])[] }
  | { readonly type: "line" };

export type PreviewInline =
  | string
  | { readonly type: "strong" | "emphasis" | "deleted"; readonly content: readonly PreviewInline[] }
  | { readonly type: "code"; readonly text: string }
  | { readonly type: "link"; readonly href: string; readonly content: readonly PreviewInline[] }
  | { readonly type: "break" };

export interface Preview {
  readonly blocks: readonly PreviewBlock[];
  /** Whether only the beginning is shown. */
  readonly shortened: boolean;
}

/** Keeps a hostile file from keeping the parser busy. */
const maxPreviewBytes = 64 * 1024;

/** The text of a file as it is injected, ready to be shown. */
export async function readPreview(
  workspace: MemoryWorkspace,
  kind: "rules" | "skills",
  filename: string,
): Promise<Preview> {
  const files = await workspace.parts[kind].load();
  const file = files.find((one) => one.filename === filename);
  if (file === undefined) throw new MemoryError("ERR_ASSET_NOT_FOUND", "there is no such file in the folder");
  const shown = cutToBytes(file.body, maxPreviewBytes);
  return { blocks: await parseMarkdown(shown), shortened: shown.length < file.body.length };
}

export async function parseMarkdown(markdown: string): Promise<readonly PreviewBlock[]> {
  const { lexer } = await import("marked");
  try {
    return blocksOf(lexer(markdown));
  } catch {
    // A thousand quotes in each other are more than a parser's stack holds: then the text as it is.
    return [{ type: "code", text: markdown }];
  }
}

function blocksOf(tokens: readonly Token[]): PreviewBlock[] {
  return tokens.flatMap((token) => blockOf(token as MarkedToken));
}

function blockOf(token: MarkedToken): PreviewBlock | [] {
  switch (token.type) {
    case "space":
    case "def":
      return [];
    case "heading":
      return { type: "heading", level: token.depth, content: inlinesOf(token.tokens) };
    case "code":
      return { type: "code", text: token.text };
    case "blockquote":
      return { type: "quote", blocks: blocksOf(token.tokens) };
    case "list": {
      const items = token.items.map(itemBlocks);
      return { type: "list", ...(token.ordered && { start: Number(token.start) || 1 }), items };
    }
    case "table":
      return {
        type: "table",
        rows: [token.header, ...token.rows].map((row) => row.map((cell) => inlinesOf(cell.tokens))),
      };
    case "hr":
      return { type: "line" };
    case "paragraph":
    case "text":
      return { type: "paragraph", content: inlinesOf(token.tokens ?? [], token.text) };
    default:
      return { type: "paragraph", content: [token.raw.trimEnd()] };
  }
}

/** The box of a task stands before its words. */
function itemBlocks({ tokens, task, checked }: Tokens.ListItem): PreviewBlock[] {
  const blocks = blocksOf(tokens.filter(({ type }) => type !== "checkbox"));
  const [first, ...others] = blocks;
  if (!task || first?.type !== "paragraph") return blocks;
  return [{ ...first, content: [checked === true ? "☑ " : "☐ ", ...first.content] }, ...others];
}

function inlinesOf(tokens: readonly Token[], text = ""): PreviewInline[] {
  return tokens.length === 0 && text !== "" ? [text] : tokens.map((token) => inlineOf(token as MarkedToken));
}

function inlineOf(token: MarkedToken): PreviewInline {
  switch (token.type) {
    case "strong":
      return { type: "strong", content: inlinesOf(token.tokens) };
    case "em":
      return { type: "emphasis", content: inlinesOf(token.tokens) };
    case "del":
      return { type: "deleted", content: inlinesOf(token.tokens) };
    case "codespan":
      return { type: "code", text: token.text };
    case "br":
      return { type: "break" };
    case "link": {
      const content = inlinesOf(token.tokens);
      return isSafeLink(token.href)
        ? { type: "link", href: token.href, content }
        : { type: "emphasis", content };
    }
    case "image":
      return token.text;
    case "text":
    case "escape":
      return token.text;
    default:
      return token.raw;
  }
}

/** Only links that lead to a page or a mailbox. */
function isSafeLink(href: string): boolean {
  return URL.canParse(href) && ["http:", "https:", "mailto:"].includes(new URL(href).protocol);
}

type MarkedToken =
  | Tokens.Space
  | Tokens.Def
  | Tokens.Heading
  | Tokens.Code
  | Tokens.Blockquote
  | Tokens.List
  | Tokens.Table
  | Tokens.Hr
  | Tokens.Paragraph
  | Tokens.Text
  | Tokens.HTML
  | Tokens.Strong
  | Tokens.Em
  | Tokens.Del
  | Tokens.Codespan
  | Tokens.Br
  | Tokens.Link
  | Tokens.Image
  | Tokens.Escape;
