import type { Span } from "./span.js";

interface Shape {
  readonly name: string;
  readonly pattern: RegExp;
  /** Where the pattern alone would also match a harmless word. */
  readonly accept?: (credential: string) => boolean;
}

// Each pattern is linear: after its fixed beginning a run either is long enough and is taken, or is given up within a bound.
const shapes: readonly Shape[] = [
  {
    name: "OpenAI, Anthropic, OpenRouter, DeepSeek and their like",
    pattern: keyAfter("sk-", 16),
    accept: isSkKey,
  },
  {
    name: "Stripe",
    pattern: /(?<![A-Za-z0-9])(?:sk|rk)_(?:live|test)_\w{10,}|(?<![A-Za-z0-9])whsec_\w{16,}/g,
  },
  { name: "GitHub", pattern: /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,})/g },
  { name: "GitLab", pattern: keyAfter("glpat-", 16) },
  { name: "AWS", pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{12,}/g },
  { name: "Google", pattern: /(?<![A-Za-z0-9])(?:AIza[\w-]{20,}|GOCSPX-[\w-]{16,}|ya29\.[\w-]{20,})/g },
  { name: "Slack", pattern: /(?<![A-Za-z0-9])(?:xox[abeoprs]|xapp)-[\w-]{10,}/g },
  { name: "npm, PyPI", pattern: /(?<![A-Za-z0-9])(?:npm_[A-Za-z0-9]{30,}|pypi-[\w-]{30,})/g },
  { name: "Alibaba Cloud", pattern: /(?<![A-Za-z0-9])LTAI[A-Za-z0-9]{12,}/g },
  { name: "Tencent Cloud", pattern: /(?<![A-Za-z0-9])AKID[A-Za-z0-9]{13,}/g },
  {
    name: "LangSmith, Tavily, Pinecone, Groq, xAI, Hugging Face, Replicate",
    pattern:
      /(?<![A-Za-z0-9])(?:lsv2_(?:pt|sk)_\w{16,}|tvly-[\w-]{16,}|pcsk_\w{16,}|gsk_[A-Za-z0-9]{20,}|xai-[A-Za-z0-9]{20,}|hf_[A-Za-z0-9]{20,}|r8_[A-Za-z0-9]{20,})/g,
  },
  { name: "age", pattern: /(?<![A-Za-z0-9])AGE-SECRET-KEY-1[A-Z0-9]{20,}/g },
  { name: "Telegram bot", pattern: /(?<![\w:])\d{8,10}:[A-Za-z0-9_-]{35}(?![\w-])/g },
  { name: "JSON web token", pattern: /(?<![\w.-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g },
  {
    name: "authorization header",
    pattern: /(?<=(?<![A-Za-z])Bearer\s{1,4})[\w.~+/-]{12,}=*/gi,
    accept: (credential) => /\d/.test(credential),
  },
  {
    name: "basic authorization",
    pattern: /(?<=authorization["']?\s{0,2}[:=]\s{0,2}["']?Basic\s{1,2})[A-Za-z0-9+/]{6,}=*/gi,
  },
  {
    name: "address with a password",
    pattern:
      /(?<![a-z])[a-z][a-z0-9+.-]{1,30}:\/\/[^\s:/@]{0,100}:([!-.0-~]{1,256})@[\w.~:/?#[\]@!$&'()*+,;=%-]*/gi,
    accept: (credential) =>
      !/:(?:<[^>]*>|\{[^}]*\}|\$\w+|\$\{[^}]*\}|%\w+%|\*+|\.+|\[[^\]]*\])@/.test(credential),
  },
  {
    name: "webhook of a group robot",
    pattern:
      /https:\/\/(?:hooks\.slack\.com\/services\/|open\.(?:feishu\.cn|larksuite\.com)\/open-apis\/bot\/v2\/hook\/|qyapi\.weixin\.qq\.com\/cgi-bin\/webhook\/send\?key=)[\w/-]{16,}/g,
  },
  {
    name: "password on a command line",
    pattern:
      /(?<=(?<![\w-])--(?:password|passwd|pass|token|api-key|secret)[ =]["']?)[^\s"'<$-][^\s"']{2,}|(?<=(?<!\w)sshpass -p ?["']?)[^\s"'<$]{3,}|(?<=(?<!\w)mysql(?:dump|admin)?\b[^\n|;]{0,80}\s-p)[^\s"'<$]{3,}|(?<=(?<!\w)curl\b[^\n|;]{0,120}\s(?:-u|--user)\s?["']?[^\s:"']{1,60}:)[^\s"'<$]{3,}/g,
  },
  {
    name: "seed phrase",
    pattern:
      /(?<=(?:助记词|seed phrase|recovery phrase|mnemonic)[^a-z\n]{0,8}(?:is |are )?)(?:[a-z]{3,8}[ ,，、]{1,2}){11,23}[a-z]{3,8}/gi,
  },
];

// Every shape but the two spoken ones has one of these; looking for them first keeps the usual message cheap.
const mayHoldShape = /[\w-]{12}|:\/\/|--|-p|助记词|phrase|mnemonic|Basic/i;

/** Credentials that are known by their look alone, wherever they stand. */
export function findKnownShapes(text: string): Span[] {
  if (!mayHoldShape.test(text)) return [];
  return shapes.flatMap(({ pattern, accept }) =>
    [...text.matchAll(pattern)]
      .filter((match) => accept?.(match[0]) ?? true)
      .map((match) => ({ start: match.index, end: match.index + withoutTrailingStop(match[0]).length })),
  );
}

function keyAfter(prefix: string, minimum: number): RegExp {
  return new RegExp(`(?<![A-Za-z0-9])${prefix}[\\w-]{${minimum},}`, "g");
}

/** `sk-` also begins class names (`sk-folding-cube-wrapper`): those have neither a digit nor a long part. */
function isSkKey(credential: string): boolean {
  if (/your/i.test(credential)) return false;
  return /\d|^sk-(?:proj|ant|svcacct|admin|or|live|test)-|[A-Za-z]{20}/.test(credential);
}

function withoutTrailingStop(credential: string): string {
  return credential.replace(/[.,;:?)\]'"]+$/, "");
}
