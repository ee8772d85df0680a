import type { Span } from "./span.js";
import { isProse } from "./talk-about-credentials.js";

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
    pattern: /(?<![a-z])Bearer\s{1,4}(?<credential>[\w.~+/-]{12,}=*)/dgi,
    accept: (credential) => /\d/.test(credential),
  },
  {
    name: "basic authorization",
    pattern: /authorization["']?\s{0,2}[:=]\s{0,2}["']?Basic\s{1,2}(?<credential>[A-Za-z0-9+/]{6,}=*)/dgi,
    accept: (credential) => credential.length > 20 || /[\d=]/.test(credential),
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
    name: "password as a flag",
    pattern:
      /(?<![\w-])--(?:password|passwd|pass|token|api-key|secret)[ =]["']?(?<credential>[^\s"'<$[-][^\s"']{2,})/dg,
  },
  {
    name: "password of a command that takes it by a letter",
    pattern:
      /(?<![\w-])(?:sshpass -p ?|redis-cli\b[^\n|;]{0,80} -a |mysql(?:dump|admin)?\b[^\n|;]{0,80} -p|curl\b[^\n|;]{0,120} (?:-u|--user) ?["']?[^\s:"']{1,60}:)["']?(?<credential>[^\s"'<$[-][^\s"']{2,})/dg,
  },
  {
    name: "seed phrase",
    pattern:
      /(?:助记词|seed phrase|recovery phrase|mnemonic)[^a-z\n]{0,8}(?:is |are )?(?<credential>(?:[a-z]{3,8}[ ,，、]{1,2}){11,23}[a-z]{3,8})/dgi,
  },
  {
    name: "pass phrase of several words",
    pattern:
      /pass ?phrase(?: is|:|：| =) ?["“「]?(?<credential>(?:[a-z]{3,12} ){3,7}[a-z]{3,12})(?=["”」.!。]|\s*$)/dgi,
    // "correct" also says how a password is; before other plain words it does not.
    accept: (credential) => !isProse(credential.replace(/^correct /, "")),
  },
];

// Each shape has one of these; looking for them first keeps the usual message cheap.
const mayHoldShape = /[\w-]{12}|:\/\/|--|bearer|basic|-p|-a|-u|助记词|phrase|mnemonic/i;
const stops = new Set(".,;:?)]'\"");

/** Credentials that are known by their look alone, wherever they stand. */
export function findKnownShapes(text: string): Span[] {
  if (!mayHoldShape.test(text)) return [];
  return shapes.flatMap(({ pattern, accept }) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const [start, end] = match.indices?.groups?.credential ?? [match.index, match.index + match[0].length];
      const stop = withoutTrailingStops(text, start, end);
      return accept?.(text.slice(start, stop)) === false ? [] : [{ start, end: stop }];
    }),
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

function withoutTrailingStops(text: string, start: number, end: number): number {
  let stop = end;
  while (stop > start && stops.has(text.charAt(stop - 1))) stop -= 1;
  return stop;
}
