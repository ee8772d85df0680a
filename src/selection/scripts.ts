/** Anything but ASCII, Chinese characters and the punctuation of both: needs a closer look. */
const uncommon =
  /[^\0-\x7f\u2010-\u2027\u3000-\u3003\u3008-\u3011\u3400-\u4DBF\u4E00-\u9FFF\uFF01-\uFF0F\uFF1A-\uFF20]/;

const han = /^\p{Script=Han}/u;

/** Chinese characters that say nothing about what a sentence is about. */
const stopUnits = new Set(
  Array.from(
    "的了吗呢吧啊呀哦嗯我你您他她它们是在和与及也都就还很这那哪谁几个被把给对从到过着地得要会能让跟什么怎为何",
    (character) => character.charCodeAt(0),
  ),
);

export function isPlain(text: string): boolean {
  return !uncommon.test(text);
}

export function isChinese(character: string): boolean {
  const unit = character.charCodeAt(0);
  if (unit >= 0x4e00 && unit <= 0x9fff) return true;
  return unit > 0x2e7f && han.test(character);
}

/** By code unit. */
export function isChineseStop(unit: number): boolean {
  return stopUnits.has(unit);
}
