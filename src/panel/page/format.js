/** Numbers, sizes and times as a person reads them in the page's language. */
const language = document.documentElement.lang;
const numbers = new Intl.NumberFormat(language);
const fractions = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
const times = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
export const globalScope = "global";

export function number(value) {
  return numbers.format(value);
}

export function size(bytes) {
  return bytes < 1024 ? `${number(bytes)} B` : `${fractions.format(bytes / 1024)} KB`;
}

export function time(milliseconds) {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? "—" : times.format(date);
}

export function isoTime(milliseconds) {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString();
}

/** `global`, or the first 8 characters of a session's id. */
export function source(scope, globalText) {
  return scope === globalScope ? globalText : firstCharacters(scope, 8);
}

export function firstCharacters(text, count) {
  return Array.from(text).slice(0, count).join("");
}

/** Code points, as the limit counts them: spaces at both ends don't, and a run of them is one. */
export function countCharacters(text) {
  return Array.from(text.replace(/\s+/gu, " ").trim()).length;
}
