import { cutToCodePoints, oneLine } from "../text/index.js";

export interface ParsedAsset {
  /** One line; undefined where the file gives none. */
  readonly name: string | undefined;
  /** One line; empty where the file gives none. */
  readonly description: string;
  /** Without blank lines at its beginning and end, otherwise as the user wrote it. */
  readonly body: string;
  /** Why something that begins like frontmatter was read as body. */
  readonly problem: "unclosed" | "malformed" | undefined;
}

const maxNameLength = 200;
const maxDescriptionLength = 1024;

const opening = /^---[ \t]*(?:[\r\n]|$)/;
const fence = /^---[ \t]*$/;
const keyLine = /^["']?([^\s:"'#-][^\s:"']*)["']?:(?:[ \t]+(.*))?$/u;
const blankOrComment = /^\s*(?:#.*)?$/u;
/** Further lines of a value: indented text, closing brackets, and behind a key without a value the items of a list. */
const continuation = /^(?:[ \t]+\S.*|[\]}],?[ \t]*)$/u;
const listItem = /^-(?:[ \t].*)?$/u;
const blockScalar = /^[|>][-+\d]{0,2}[ \t]*(?:#.*)?$/;

/**
 * Splits a rule or skill into what its frontmatter says and its body. Only what is surely frontmatter is taken for it (a
 * first line `---`, `key: value` lines, a line `---`): where in doubt, all is body, since a lost word of a rule is worse
 * than a visible dash. This is no YAML on purpose: `Use when: x. NOT for: y` is a fine description, and not valid YAML.
 */
export function parseAsset(text: string): ParsedAsset {
  if (!opening.test(text)) return allBody(text, undefined);
  const lines = text.split(/\r\n|\n|\r/u);
  const closing = lines.findIndex((line, index) => index > 0 && fence.test(line));
  if (closing < 0) return allBody(text, "unclosed");

  const values = readValues(lines.slice(1, closing));
  if (values === "prose") return allBody(text, undefined);
  if (values === "malformed") return allBody(text, "malformed");
  return {
    name: cutToCodePoints(oneLine(values.get("name") ?? ""), maxNameLength).trimEnd() || undefined,
    description: cutToCodePoints(oneLine(values.get("description") ?? ""), maxDescriptionLength).trimEnd(),
    body: trimBlankLines(text.slice(offsetOfLine(text, closing + 1))),
    problem: undefined,
  };
}

function allBody(text: string, problem: ParsedAsset["problem"]): ParsedAsset {
  return { name: undefined, description: "", body: trimBlankLines(text), problem };
}

/** `prose`: text between two dash lines, no key at all. `malformed`: keys, and lines that belong to none. */
function readValues(lines: readonly string[]): Map<string, string> | "prose" | "malformed" {
  const values = new Map<string, string[]>();
  let current: string[] | undefined;
  let hasStrayLine = false;
  let hasText = false;
  for (const line of lines) {
    const [, key, value] = keyLine.exec(line) ?? [];
    if (key !== undefined) {
      current = [value ?? ""];
      if (!values.has(key.toLowerCase())) values.set(key.toLowerCase(), current);
    } else if (current !== undefined && isContinuation(line, current)) {
      current.push(line);
    } else if (!blankOrComment.test(line)) {
      hasStrayLine = true;
    }
    hasText ||= line.trim() !== "";
  }
  if (values.size === 0 && hasText) return "prose";
  if (hasStrayLine) return "malformed";
  return new Map([...values].map(([key, parts]) => [key, joinedValue(parts)]));
}

function isContinuation(line: string, [value]: readonly string[]): boolean {
  return continuation.test(line) || (value?.trim() === "" && listItem.test(line));
}

function joinedValue([first = "", ...rest]: readonly string[]): string {
  const start = first.trim();
  const further = rest.map((line) => line.trim()).filter((line) => line !== "");
  if (start === "" && further.length > 0 && further.every((line) => line.startsWith("-"))) {
    return further.map((line) => unquoted(line.slice(1).trim())).join(", ");
  }
  if (blockScalar.test(start)) return further.join(" ");
  return unquoted([start, ...further].join(" ").trim());
}

/** Quotes go only where they hold the whole value: `"quoted: text" and more` stays as it is. */
function unquoted(value: string): string {
  const double = /^"((?:[^"\\]|\\.)*)"(?:\s+#.*)?$/u.exec(value)?.[1];
  if (double !== undefined) return unescaped(double);
  const single = /^'((?:[^']|'')*)'(?:\s+#.*)?$/u.exec(value)?.[1];
  if (single !== undefined) return single.replaceAll("''", "'");
  return value === "~" || value === "null" ? "" : value;
}

/** Escapes of a double-quoted value are those of JSON, as good as always; a value that has others stays as it is. */
function unescaped(value: string): string {
  try {
    return String(JSON.parse(`"${value}"`));
  } catch {
    // Not JSON, such as a Windows path in quotes: every character counts.
    return value;
  }
}

function offsetOfLine(text: string, line: number): number {
  const breaks = /\r\n|\n|\r/gu;
  for (let passed = 0; passed < line; passed++) {
    if (breaks.exec(text) === null) return text.length;
  }
  return breaks.lastIndex;
}

function trimBlankLines(text: string): string {
  return text.replace(/^\s*[\n\r]/u, "").trimEnd();
}
