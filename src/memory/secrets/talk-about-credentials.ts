/*
 * What stands beside the words "password", "key" or "token" in talk about them. Lists, because a wrong guess costs a fact
 * that the user wanted kept; each entry was met in a sentence of `test/secrets/harmless.ts` or is of its kind.
 */

/** A variable, a placeholder, a path, a call: the credential itself is elsewhere. */
export function isReference(text: string): boolean {
  return (
    /^(?:\$[A-Z_{(]|<|\{|%[A-Z_]+%|\[|https?:|\.{0,2}\/\w|~\/|[A-Z]:\\|\*+$|[x*•]{3,}$|\.{2,}|_+$|-)/i.test(
      text,
    ) ||
    /^[A-Za-z_.]+[([<]|^[a-z]+\d{1,3}\(/.test(text) ||
    /^(?:process|os|env|config|settings|secrets|req|self|this|props|user|data|vault)\b[.:]/i.test(text) ||
    /(?:^|[_-])your[_-]|placeholder|redacted|credential removed|凭据已隐去/i.test(text)
  );
}

/** Products and methods that are written with a digit: 「密码用 1Password 管理」, "the password is SHA256-hashed". */
export function isTerm(text: string): boolean {
  return /^(?:1password|bitwarden|keepass\w*|lastpass|dashlane|keychain|vault|kms|ldap|sso|saml|oauth ?2?(?:\.0)?|oidc|[a-z]*auth2|sha-?\d+|md5|argon2(?:id|i|d)?|bcrypt\w*|scrypt|pbkdf2|hmac(?:-\w+)?|base(?:32|64)(?:url)?|aes-?\d+(?:-\w+)*|rsa-?\d*|[hre]s(?:256|384|512)|ed25519|utf-?8|ascii|totp|mfa|2fa|u2f|fido2|passkeys?|jwt|uuid\w*|nanoid|latin1|web3|web2|k8s|gpt-?\d[\w.-]*|(?:\S+-)?(?:hashed|encoded|encrypted|based|protected|generated|managed|signed|rotated|characters?|chars|digits?|bits?|bytes?|days?|long|time|only))$/i.test(
    text,
  );
}
/** `confirmPassword`, `user.password`, `new_password`: the credential is in the variable. */
export function isIdentifierOfCode(text: string): boolean {
  return /^[a-z]+(?:[A-Z][a-z]+)+$|^[A-Za-z]+(?:\.[A-Za-z]+)+$|^[a-z]+(?:_[a-z]+)+$|^(?:[a-z]+-)*password(?:-[a-z]+)*$/.test(
    text,
  );
}

/** `github-token-v2`: every part a word or a small number. */
export function isReadableName(text: string): boolean {
  const parts = text.split(/[-_./]/);
  return (
    parts.length > 1 &&
    parts.every((part) => /^(?:[a-z]+|[A-Z]?[a-z]+|[A-Z]+|v?\d{1,2}|[a-z]{2,}\d{1,2})$/.test(part))
  );
}

/** `2024-05-01`, `v2.3.1`, `10:30`. */
export function isDateOrVersion(text: string): boolean {
  return /^\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?(?:T[\d:.Z+-]*)?$|^v?\d+(?:\.\d+)+(?:-[a-z]+(?:\.\d+)?)?$|^\d{1,2}:\d{2}/.test(
    text,
  );
}

/** `OAuth2`, `SHA256`, an e-mail address, a file: what stands beside the word "password" without being one. */
export function isNameOrAddress(text: string): boolean {
  return /^[A-Z]{2,8}-?\d{1,5}$|^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$|^\d+[a-z]{1,5}$|\.(?:ts|js|py|md|json|ya?ml|txt|go|java|env|sh)$/.test(
    text,
  );
}

/** Whether a phrase speaks about a password in place of being one. */
export function isProse(phrase: string): boolean {
  const words = phrase.split(/\s+/);
  return words.some((word) => isStateWord(word) || functionWord.test(word));
}

/** A word for how or where a credential is: required, stored, safe, wrong, never, the … */
export function isStateWord(text: string): boolean {
  const word = (text.toLowerCase().match(/[a-z]+/g) ?? []).at(-1) ?? "";
  const first = /^[a-z]+/i.exec(text)?.[0].toLowerCase() ?? "";
  return (
    states.has(word) ||
    states.has(first) ||
    functionWord.test(first) ||
    /.(?:ed|ing|ly|able|ible)$/.test(word)
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
  here there elsewhere below above used must should can may will at use see ask min max minimum
  maximum length least enter type choose pick create reset forgot forgotten change changing keep kept sent set unset
  written taken broken stolen chosen given shown known read found left out in up down not never always often it them
  everything something anything nothing enough too very also again already soon later today tomorrow yesterday now then
  else both all wrong once twice authentication authorization login policy manager based only auto
  automatic manual leak readonly hers his mine yours theirs back pending`
    .split(/\s+/)
    .filter((word) => word !== ""),
);
