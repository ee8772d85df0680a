import type { Span } from "./span.js";

type Rule = typeof import("@secretlint/secretlint-rule-preset-recommend")["rules"][number];
type RuleContext = Parameters<Rule["create"]>[0];
type SourceCode = Parameters<NonNullable<ReturnType<Rule["create"]>["file"]>>[0];

// What its rules look for: long machine-made keys, addresses with a password, PEM. Anything else never loads it.
const markers = /:\/\/[^\s/@]{1,200}@|PRIVATE KEY/;
const longRun = /[\w+=-]{20,}/g;

/** Rules that are left out. `filter-comments`: a text that says `secretlint-disable` would pass unseen. `aws`: it gives the
 * place of `aws_secret_access_key` with the length of the key, so that masking would leave the key's end. */
const left = new Set(["filter-comments", "aws"]);

let loading: Promise<readonly Rule[]> | undefined;

/**
 * What the rules of secretlint's recommended preset find. The rules are run one by one and not through `@secretlint/core`,
 * which leaves 54 performance marks (11 KB) in the process at each scan, for ever. If secretlint can't be loaded or a
 * rule throws, the others and our own rules still stand.
 */
export async function scanWithSecretlint(text: string): Promise<readonly Span[]> {
  if (!mayHoldMachineKey(text)) return [];
  loading ??= loadRules();
  const spans: Span[] = [];
  for (const rule of await loading) {
    try {
      const report = ({ range: [start, end] }: { range: readonly [number, number] }) =>
        spans.push(trimmed(text, start, end));
      await rule.create(contextOf(report), {}).file?.(sourceOf(text));
    } catch {
      // One rule that fails (and whose error may quote the text) must not cost what the others find.
    }
  }
  return spans;
}

/** Whether the rules could find anything: nearly no message needs them. */
export function mayHoldMachineKey(text: string): boolean {
  if (markers.test(text)) return true;
  // Names like `langchain-cross-session-memory` are long too, but have no digit.
  return (text.match(longRun) ?? []).some((run) => /\d/.test(run));
}

async function loadRules(): Promise<readonly Rule[]> {
  try {
    const { rules } = await import("@secretlint/secretlint-rule-preset-recommend");
    return rules.filter((rule) => !left.has(rule.meta.id.replace(/^.*secretlint-rule-/, "")));
  } catch {
    return []; // Not installed, or not for this platform: our own rules know the usual shapes.
  }
}

/** Its patterns for addresses run on to the next space, and so over Chinese text that follows without one. */
function trimmed(text: string, start: number, end: number): Span {
  const foreign = text.slice(start, end).search(/[^\s\x21-\x7e]/);
  return { start, end: foreign > 0 ? start + foreign : end };
}

function contextOf(report: (found: { range: readonly [number, number] }) => void): RuleContext {
  return {
    sharedOptions: {},
    // Its messages quote the credential, so none is ever made.
    createTranslator: () => () => ({ message: "", messageId: "" }),
    report,
    ignore: () => undefined,
  } as unknown as RuleContext;
}

function sourceOf(text: string): SourceCode {
  const source: Pick<SourceCode, "content" | "filePath" | "ext" | "contentType" | "hasBOM"> = {
    content: text,
    filePath: "text.txt",
    ext: ".txt",
    contentType: "text",
    hasBOM: false,
  };
  return source as SourceCode;
}
