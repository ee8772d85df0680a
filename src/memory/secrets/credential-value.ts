import {
  isDateOrVersion,
  isIdentifierOfCode,
  isNameOrAddress,
  isProse,
  isReadableName,
  isReference,
  isStateWord,
  isTerm,
} from "./talk-about-credentials.js";

/** What the text calls the value. A pair is "账号 root 密码 …": there even a plain word is the password. */
export type Label = "pair" | "password" | "code" | "key";

/** How label and value are joined: `:` or `=`; "is", 「是」; "changed to", 「改成」; nothing but a space. */
export type Joint = "mark" | "verb" | "change" | "space";

export interface Value {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly joint: Joint;
  readonly quoted: boolean;
  /** The next 40 code units, empty for a quoted value. */
  readonly following: string;
}

/** Whether what stands where a credential would stand is one, and not a word about passwords or keys. */
export function acceptsValue(label: Label, name: string, value: Value): boolean {
  if (isReference(value.text) || isTerm(value.text)) return false;
  if (label === "key") return isKey(name, value);
  if (label === "code") return isCode(name, value);
  return isPassword(label, value);
}

function isPassword(label: Label, value: Value): boolean {
  const { text, joint, quoted } = value;
  if (/\s/.test(text)) return joint !== "space" && text.length <= 60 && !isProse(text);
  if (/^\d+$/.test(text))
    return isSecretNumber(value, label === "pair" ? 3 : joint === "mark" ? 3 : joint === "space" ? 6 : 4);
  if (isPlainWord(text)) return acceptsPlainWord(label, value);
  if (joint === "mark") return text.length >= 3 && (quoted || !isIdentifierOfCode(text));
  if (text.length < 4 || isDateOrVersion(text)) return false;
  if (joint === "space") return text.length >= 6 && isMixed(text) && !isNameOrAddress(text);
  return isMixed(text) || quoted || text.split("-").length > 3;
}

/** A word of letters is a password where it ends the phrase and does not say how a password is ("required", "safe"). */
function acceptsPlainWord(label: Label, { text, joint, quoted, following }: Value): boolean {
  if (text.length < 3 || isStateWord(text) || (joint === "mark" && isIdentifierOfCode(text))) return false;
  if (quoted) return true;
  if (label === "pair") return joint !== "space" || endsPhrase(following);
  if (joint === "mark")
    return (
      endsPhrase(following) ||
      /^\s{1,3}\S{1,20}\s?[:：=]/.test(following) ||
      /^\s?\p{Script=Han}/u.test(following)
    );
  return joint === "verb" && endsPhrase(following);
}

function isCode(name: string, value: Value): boolean {
  if (/^\d+$/.test(value.text))
    return (
      value.text.length <= 10 && isSecretNumber(value, value.joint === "mark" || /^cv/i.test(name) ? 3 : 4)
    );
  return (
    value.joint !== "space" &&
    /^(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9-]{4,8}$/.test(value.text) &&
    !/-/.test(value.text)
  );
}

function isKey(name: string, { text, joint, following, quoted }: Value): boolean {
  const key = text.replace(/^[A-Za-z]+ /, "");
  if (/\s/.test(key) || key.length < 8 || isDateOrVersion(key) || isNameOrAddress(key)) return false;
  // SIGNING_SECRET=justletters
  if (joint === "mark" && /^[A-Z_]+$/.test(name) && !isIdentifierOfCode(key) && !isStateWord(key)) {
    if (quoted || endsPhrase(following)) return true;
  }
  // 「我的 key 是 …」: a key of what? Only one that no name, hash or cache key looks like.
  if (/^keys?$/i.test(name))
    return (
      key.length >= 20 && /\d/.test(key) && /[a-z]/.test(key) && /[A-Z]/.test(key) && !isReadableName(key)
    );
  if (/^(?:[a-z]{20,}|[A-Z]{20,})$/.test(key)) return joint === "mark" || joint === "verb";
  if (!/\d/.test(key) || !/[A-Za-z]/.test(key) || isReadableName(key)) return false;
  return joint !== "space" || key.length >= 16;
}

/** At least so many digits, and not an amount ("8 位", "90 days"), a year or a date. */
function isSecretNumber({ text, following, joint }: Value, minimum: number): boolean {
  if (text.length < minimum || /^\.\d/.test(following)) return false;
  if (joint === "space" && /^1[3-9]\d{9}$/.test(text)) return false;
  return !/^[ ]?(?:位(?!于)|个|字|次|天|分|小时|秒|年|月|日|号|元|块|条|人|轮|点|[-–~到至]\s?\d|\/\d|char|digit|day|hour|minute|second|month|year|time|attempt|byte|bit|token|user|iteration|round|item|line|letter|symbol)/i.test(
    following,
  );
}

function isPlainWord(text: string): boolean {
  return /^[A-Za-z]+[!?]?$/.test(text) || /^[A-Za-z]+(?:[-/][A-Za-z]+){1,2}$/.test(text);
}

/** Two kinds of characters of which one is a letter, or one that words don't have. */
function isMixed(text: string): boolean {
  return /[A-Za-z]/.test(text) && (/\d/.test(text) || /[!@#$%^&*+?~]/.test(text.replace(/[!?]+$/, "")));
}

function endsPhrase(following: string): boolean {
  return /^[!?]?\s*(?:$|[\n.,;:!?)\]}"'&|/<。，；！？、）」』】…]|\p{Extended_Pictographic})/u.test(
    following,
  );
}
