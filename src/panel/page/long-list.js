import { element, reconcile, setHidden, setText } from "./dom.js";
import { number } from "./format.js";
import { fill, texts } from "./texts.js";

const step = 50;

/** A list that shows fifty rows and more when asked: a thousand memories open as fast as ten. */
export function makeLongList(label, keyOf, makeRow) {
  const rows = new Map();
  const list = element("ul", { className: "rows", "aria-label": label });
  let items = [];
  let shown = step;
  const more = element("button", {
    type: "button",
    className: "more",
    hidden: true,
    onclick: () => {
      const firstNew = list.childElementCount;
      shown += step;
      draw();
      list.children[firstNew]?.querySelector("button:not(:disabled), input")?.focus();
    },
  });

  function draw() {
    reconcile(list, rows, items.slice(0, shown), keyOf, makeRow);
    const hiddenCount = items.length - shown;
    setHidden(more, hiddenCount <= 0);
    if (hiddenCount > 0) setText(more, fill(texts.showMore, { count: number(Math.min(step, hiddenCount)) }));
  }

  return {
    nodes: [list, more],
    rows,
    set(next) {
      items = next;
      draw();
    },
    /** Begins with the first fifty again: for another search. */
    reset() {
      shown = step;
    },
  };
}
