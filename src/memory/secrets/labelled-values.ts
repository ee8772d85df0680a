import { acceptsValue, type Joint, type Label, type Value } from "./credential-value.js";
import type { Span } from "./span.js";

/*
 * "The password is …", as people and models write it in Chinese and English: a label, a joint, a value. Each reading is
 * sticky and bounded, so a label costs the same wherever it stands and the whole is linear in the text.
 */

// A pair, and a place that has one password: there even a plain word is it. `1Password` is a product.
const labels = new RegExp(
  [
    "(?<pair>(?:账号|帐号|账户|用户名)(?:(?:和|及|/|、)?(?:密码|口令))?(?:[是为：:=]|分别是)?\\s?[!-.0-~]{1,40}\\s?[\\s,，/、;；]\\s?(?:密码|口令)|(?:默认|初始|root|管理员|后台|数据库|服务器|路由器|wi-?fi) ?的?(?:密码|口令))",
    "(?<password>密码|口令|(?<!1)(?:pass[ _-]?(?:words?|wd|code|phrase))|(?<![a-z])(?:pwd|pw|pass)(?![a-z]))",
    "(?<code>验证码|校验码|动态码|安全码|PIN ?码|(?<![a-z])(?:pin(?: code| number)?|otp|cvv|cvc)(?![a-z])|激活码|兑换码|(?:verification|security|one-time|your|2fa|mfa|sms|door|gate|backup) code)",
    "(?<key>密钥|秘钥|私钥|令牌|凭证|凭据|授权码|(?:api|access|secret|private|account|signing|encryption|license|activation)[ _-]?key(?:[ _-]?(?:id|secret))?|tokens?(?![a-z])|secret(?![a-z])(?:[ _-]access[ _-]key)?|credentials?|(?<![a-z])(?:creds|[as]k|keys?)(?![a-z]))",
  ].join("|"),
  "gi",
);

const joints: readonly { readonly joint: Joint; readonly pattern: RegExp }[] = [
  {
    joint: "mark",
    pattern: /\s{0,3}(?:={1,3}>?|:=|[:：＝→]|->|(?<=<[\w-]{1,30})>(?=[^<\s]{1,100}<\/))[*_]{0,2}\s{0,5}/y,
  },
  {
    joint: "verb",
    pattern:
      /(?:\s{1,3}(?:(?:for|of|on|to|in|at|I|we)\s[^.,;:=!?\n。，]{1,40}?(?=\s(?:is|was)\s)|which|that))?(?:['’]s|(?:\s{1,3}(?:still|now|currently|just|always|actually|probably|also|again))?\s{1,3}(?:is|was|are|were))(?:\s{1,3}(?:now|still|currently|just|set|changed|reset|to|probably|simply|actually|like|this)){0,4}\s{0,3}[:：]?\s{1,5}/iy,
  },
  {
    joint: "change",
    pattern:
      /(?:\s{1,3}(?:has been|was|got|will be))?(?:\s{1,3}(?:set|changed|reset|updated|from|to|as)){1,3}\s{1,3}/iy,
  },
  {
    joint: "verb",
    pattern:
      /\s{0,3}(?:[我你他她咱们现在目前应该大概好像可能一直依然仍都还就也已经统一默认暂时临时当前]{0,6})(?:设的?|用的?|改的?|设定|记得)?(?:是|为|叫|等于)(?:了|这个)?\s{0,3}[:：]?\s{0,5}/y,
  },
  {
    joint: "change",
    pattern:
      /\s{0,3}(?:[我你他她咱们现在目前一直都还就也已经被统一默认暂时临时当前]{0,6})(?:改|换|设|设置|重置|更新|修改|变)(?:成|为|到)了?\s{0,3}[:：]?\s{0,5}|\s{0,3}(?:从|由|用)\s{0,3}/y,
  },
  { joint: "space", pattern: /\s{1,3}[-–—]\s{1,3}|\s{0,3}[(（]|[ \t]{0,3}/y },
];

const closing = /(?:["`”」』】*_)\]]|['’](?!s\s)){0,3}(?:\s?(?:（[^（）\n]{1,30}）|\([^()\n]{1,30}\)))?/y;
const quotes = new Map([
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
  ["＂", "＂"],
  ["“", "”"],
  ["‘", "’"],
  ["「", "」"],
  ["『", "』"],
  ["【", "】"],
  ["《", "》"],
]);
const opening = /[*_(（]{0,2}(["'`＂“‘「『【《])?[*_]{0,2}/y;
// A value ends where the next field of a query, a connection string or a row begins.
const bare = /(?:(?![;&,]\w{1,40}[=:])[!#-&(-;=-_a-{}~])+/y;
// Only a password may end in an exclamation mark, and it is no mere word.
const afterWord = /[.,:;?)\]}>*]+$|(?<=^[A-Za-z]+)!$/;
const afterKey = /[.,:;?)\]}>*!]+$/;
const longestValue = 512;
// What stands between two values of one label: "changed from … to …", "admin / …", "… or …".
const nextValue =
  /["'`”’」』】]?\s{0,2}(?:to|or|and|改成了?|改为|换成了?|换为|变成|或者?|和|以及|[/、])\s{0,2}/iy;

/** The values (not the labels) of what is called a password, a code, a key, a token or a secret. */
export function findLabelledValues(text: string): Span[] {
  const spans: Span[] = [];
  let taken = 0;
  for (const match of text.matchAll(labels)) {
    if (match.index < taken) continue;
    const label = (Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined)?.[0] ??
      "key") as Label;
    const name = match[0];
    let value = readLabelled(text, match.index + name.length, label, name);
    while (value !== undefined) {
      spans.push({ start: value.start, end: value.end });
      taken = value.end;
      value = readNext(text, value.end, label, name);
    }
  }
  return spans;
}

function readLabelled(text: string, labelEnd: number, label: Label, name: string): Value | undefined {
  const from = endOf(closing, text, labelEnd) ?? labelEnd;
  for (const { joint, pattern } of joints) {
    const jointEnd = endOf(pattern, text, from);
    if (jointEnd === undefined) continue;
    // Without a space (密码hunter2) only after a Chinese label: `passwordless2` is a word.
    if (joint === "space" && jointEnd === from && !/\p{Script=Han}$/u.test(name)) continue;
    const value = readValue(text, jointEnd, joint, label);
    if (value !== undefined && acceptsValue(label, name, value)) return value;
    if (joint === "mark") return undefined;
  }
  return undefined;
}

function readNext(text: string, from: number, label: Label, name: string): Value | undefined {
  const start = endOf(nextValue, text, from);
  const value = start === undefined ? undefined : readValue(text, start, "change", label);
  return value !== undefined && acceptsValue(label, name, value) ? value : undefined;
}

function readValue(text: string, from: number, joint: Joint, label: Label): Value | undefined {
  const start = endOf(opening, text, from) ?? from;
  const quote = /["'`＂“‘「『【《]/.exec(text.slice(from, start))?.[0];
  const closer = quote === undefined ? undefined : quotes.get(quote);
  const rest = text.slice(start, start + longestValue);
  const quotedEnd =
    closer === undefined ? -1 : rest.search(closer === "`" ? /[`\n]/ : new RegExp(`[${closer}\n]`));
  if (quotedEnd > 0 && rest[quotedEnd] !== "\n") {
    return {
      text: rest.slice(0, quotedEnd),
      start,
      end: start + quotedEnd,
      joint,
      quoted: true,
      following: "",
    };
  }
  bare.lastIndex = 0;
  const run = (bare.exec(rest)?.[0] ?? "").replace(label === "key" ? afterKey : afterWord, "");
  if (run === "") return undefined;
  const end = start + run.length;
  return { text: run, start, end, joint, quoted: false, following: text.slice(end, end + 40) };
}

/** Where a sticky pattern that must match at `from` ends; undefined if it does not match there. */
function endOf(pattern: RegExp, text: string, from: number): number | undefined {
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  return match === null ? undefined : from + match[0].length;
}
