/** Unicode code points: what the contract calls characters. A lone surrogate counts as one. */
export function codePointLength(text: string): number {
  let pairs = 0;
  for (let index = 0; index < text.length; index++) {
    if (isHighSurrogate(text.charCodeAt(index)) && isLowSurrogate(text.charCodeAt(index + 1))) {
      pairs++;
      index++;
    }
  }
  return text.length - pairs;
}

/** Bytes in UTF-8. A lone surrogate counts three: it is sent as U+FFFD. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

/** The code unit index behind the first `count` code points, or the end of the text. */
export function indexAfter(text: string, count: number): number {
  // A code point is one or two code units: where these suffice, nothing needs counting.
  if (text.length <= count) return text.length;
  let index = 0;
  for (let passed = 0; passed < count && index < text.length; passed++) {
    index += isHighSurrogate(text.charCodeAt(index)) && isLowSurrogate(text.charCodeAt(index + 1)) ? 2 : 1;
  }
  return index;
}

/** The code unit index before the last `count` code points, or 0. */
export function indexBefore(text: string, count: number): number {
  let index = text.length;
  for (let passed = 0; passed < count && index > 0; passed++) {
    index -=
      isLowSurrogate(text.charCodeAt(index - 1)) && isHighSurrogate(text.charCodeAt(index - 2)) ? 2 : 1;
  }
  return index;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
