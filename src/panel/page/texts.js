/** The texts in the page's language, and how a value is put into one. */
export const { texts } = await import(`./texts-${document.documentElement.lang}.js`);

export function fill(text, values) {
  return text.replace(/\{(\w+)\}/gu, (_mark, name) => String(values[name] ?? ""));
}

export function errorText(code) {
  return Object.hasOwn(texts.errors, code) ? texts.errors[code] : texts.errors.unknown;
}
