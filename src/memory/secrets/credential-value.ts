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
  if (label === "code") return isCode(value);
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
  if (label === "pair" || quoted) return true;
  if (joint === "mark")
    return (
      endsPhrase(following) ||
      /^\s{1,3}\S{1,20}\s?[:：=]/.test(following) ||
      /^\s?\p{Script=Han}/u.test(following)
    );
  return joint === "verb" && endsPhrase(following);
}

function isCode(value: Value): boolean {
  if (/^\d+$/.test(value.text))
    return value.text.length <= 10 && isSecretNumber(value, value.joint === "mark" ? 3 : 4);
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
    return quoted || endsPhrase(following);
  }
  if (/^(?:[a-z]{20,}|[A-Z]{20,})$/.test(key)) return joint === "mark" || joint === "verb";
  if (!/\d/.test(key) || !/[A-Za-z]/.test(key) || isReadableName(key)) return false;
  return joint !== "space" || key.length >= 16;
}

/** At least so many digits, and not an amount ("8 位", "90 days"), a year or a date. */
function isSecretNumber({ text, following, joint }: Value, minimum: number): boolean {
  if (text.length < minimum || /^\.\d/.test(following)) return false;
  if (joint === "space" && /^1[3-9]\d{9}$/.test(text)) return false;
  return !/^[ ]?(?:位|个|字|次|天|分|小时|秒|年|月|日|号|元|块|条|人|轮|点|[-–~到至]\s?\d|\/\d|char|digit|day|hour|minute|second|month|year|time|attempt|byte|bit|token|user|iteration|round|item|letter|symbol)/i.test(
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

function isProse(phrase: string): boolean {
  const words = phrase.split(/\s+/);
  return words.some((word) => isStateWord(word) || functionWord.test(word));
}

function isDateOrVersion(text: string): boolean {
  return /^\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?(?:T[\d:.Z+-]*)?$|^v?\d+(?:\.\d+)+(?:-[a-z]+(?:\.\d+)?)?$|^\d{1,2}:\d{2}/.test(
    text,
  );
}

/** `OAuth2`, `SHA256`, an e-mail address, a file: what stands beside the word "password" without being one. */
function isNameOrAddress(text: string): boolean {
  return /^[A-Z]{2,8}-?\d{1,5}$|^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$|^\d+[a-z]{1,5}$|\.(?:ts|js|py|md|json|ya?ml|txt|go|java|env|sh)$/.test(
    text,
  );
}

/** A variable, a placeholder, a path, a call: the credential itself is elsewhere. */
function isReference(text: string): boolean {
  return (
    /^(?:\$[A-Z_{(]|<|\{|%[A-Z_]+%|\[|https?:|\.{0,2}\/\w|~\/|[A-Z]:\\|\*+$|[x*•]{3,}$|\.{2,}|_+$|-)/i.test(
      text,
    ) ||
    /^[A-Za-z_][\w.]*[([<]/.test(text) ||
    /^(?:process|os|env|config|settings|secrets|req|self|this|props|user|data|vault)\b[.:]/i.test(text) ||
    /(?:^|[_-])your[_-]|placeholder|redacted|credential removed|凭据已隐去/i.test(text)
  );
}

function isIdentifierOfCode(text: string): boolean {
  return /^[a-z]+(?:[A-Z][a-z]+)+$|^[A-Za-z]+(?:\.[A-Za-z]+)+$|^[a-z]+(?:_[a-z]+)+$|^(?:[a-z]+-)*password(?:-[a-z]+)*$/.test(
    text,
  );
}

/** `github-token-v2`: every part a word or a small number. */
function isReadableName(text: string): boolean {
  const parts = text.split(/[-_./]/);
  return (
    parts.length > 1 &&
    parts.every((part) => /^(?:[a-z]+|[A-Z]?[a-z]+|[A-Z]+|v?\d{1,2}|[a-z]{2,}\d{1,2})$/.test(part))
  );
}

function endsPhrase(following: string): boolean {
  return /^[!?]?\s*(?:$|[\n.,;:!?)\]}"'&|/<。，；！？、）」』】…]|\p{Extended_Pictographic})/u.test(
    following,
  );
}

const functionWord =
  /^(?:the|an?|in|on|at|of|to|for|from|by|with|and|or|but|not|never|my|your|his|her|our|their|its?|this|that|which|only|so|as|if|be|is|was|are|do|does|you|we|they|i)$/i;

const states = new Set(
  `required optional mandatory needed necessary wrong incorrect correct invalid valid weak strong safe secure insecure unsafe
  empty blank missing absent null nil none undefined unknown hidden visible secret private public long short unique
  same different fine ok okay good bad better gone lost stale fresh new old due true false yes no on off any todo tbd
  string str number int integer boolean bool text varchar char bytes object array type field input value password passwd
  token key hash salt plaintext cleartext ciphertext random default temporary permanent static dynamic free known ready
  available unavailable sensitive confidential important critical crucial essential complex simple easy hard stupid
  important here there elsewhere below above unavailable used must should can may will at use see ask min max minimum
  maximum length least enter type choose pick create reset forgot forgotten change changing keep kept sent set unset
  written taken broken stolen chosen given shown known read found left out in up down not never always often it them
  everything something anything nothing enough too very also again already soon later today tomorrow yesterday now then
  else both all wrong once twice authentication authorization login policy manager based only auto
  automatic manual leak readonly`
    .split(/\s+/)
    .filter((word) => word !== ""),
);

function isStateWord(text: string): boolean {
  const word = (text.toLowerCase().match(/[a-z]+/g) ?? []).at(-1) ?? "";
  const first = /^[a-z]+/i.exec(text)?.[0].toLowerCase() ?? "";
  return (
    states.has(word) ||
    states.has(first) ||
    functionWord.test(first) ||
    /.(?:ed|ing|ly|able|ible)$/.test(word)
  );
}

/** Products and methods that are written with a digit: 「密码用 1Password 管理」, "the password is SHA256-hashed". */
function isTerm(text: string): boolean {
  return /^(?:1password|bitwarden|keepass\w*|lastpass|dashlane|keychain|vault|kms|ldap|sso|saml|oauth ?2?(?:\.0)?|oidc|[a-z]*auth2|sha-?\d+|md5|argon2(?:id|i|d)?|bcrypt\w*|scrypt|pbkdf2|hmac\S*|base(?:32|64)(?:url)?|aes\S*|rsa\S*|[hre]s(?:256|384|512)|ed25519|utf-?8|ascii|totp|mfa|2fa|u2f|fido2|passkeys?|jwt|uuid\w*|nanoid|latin1|postgres(?:ql)?|mysql|redis|mongodb|web3|web2|k8s|gpt\S*|(?:\S+-)?(?:hashed|encoded|encrypted|based|protected|generated|managed|signed|rotated|characters?|chars|digits?|bits?|bytes?|days?|long|time|only))$/i.test(
    text,
  );
}
