import type { Span } from "./span.js";

// The look-behind lets a run of digits be tried only once, from its start: linear in the text.
const digitGroups = /(?<![\w.+]|\d[ -])\d(?:[ -]?\d){12,18}(?![ -]?\d|[A-Za-z_])/g;
const issuers =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:35|6011|64|65)\d{12,14}|62\d{14,17})$/;
const numberOfAnotherKind =
  /(?:订单|单号|运单|流水|编号|身份证|order|tracking|invoice|ticket|timestamp|\bid)[^\d\n]{0,12}$/i;

/** Payment card numbers: a known issuer's range and length, and a right check digit (Luhn). */
export function findCardNumbers(text: string): Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(digitGroups)) {
    const digits = match[0].replaceAll(/[ -]/g, "");
    const before = text.slice(Math.max(0, match.index - 30), match.index);
    if (!issuers.test(digits) || !hasRightCheckDigit(digits) || numberOfAnotherKind.test(before)) continue;
    spans.push({ start: match.index, end: match.index + match[0].length });
  }
  return spans;
}

function hasRightCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let position = 0; position < digits.length; position += 1) {
    const digit = Number(digits[digits.length - 1 - position]);
    const doubled = position % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
