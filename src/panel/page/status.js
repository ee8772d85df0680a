import { element } from "./dom.js";

/** What was done, or why not: seen at the foot of the page and read out. */
const done = element("p", { className: "toast", role: "status" });
const failed = element("p", { className: "toast failed", role: "alert" });
export const statusNodes = [done, failed];

const shownMs = 6000;
let timer;

export function say(text) {
  show(done, failed, text);
}

export function sayError(error) {
  show(failed, done, error.message);
}

function show(node, other, text) {
  clearTimeout(timer);
  other.textContent = "";
  // Emptied first, so that the same words are read out again.
  node.textContent = "";
  requestAnimationFrame(() => {
    node.textContent = text;
  });
  timer = setTimeout(() => {
    node.textContent = "";
  }, shownMs);
}
