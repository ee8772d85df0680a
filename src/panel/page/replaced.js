import { act } from "./actions.js";
import { element, setHidden, setText } from "./dom.js";
import { focusNear } from "./focus-near.js";
import * as format from "./format.js";
import { makeLongList } from "./long-list.js";
import { say, sayError } from "./status.js";
import { fill, texts } from "./texts.js";

let ids = 0;

/** The memories that new facts took the place of; seen only where there are some or may be. */
export function makeReplacedSection() {
  const empty = element("p", { className: "empty" }, texts.noReplaced);
  const list = makeLongList(texts.replaced, ({ id }) => id, makeReplacedRow);
  const node = element(
    "section",
    { "aria-labelledby": "replaced-heading" },
    element("h2", { id: "replaced-heading" }, texts.replaced),
    element("p", { className: "hint" }, texts.replacedHint),
    list.nodes,
    empty,
  );
  return {
    node,
    update({ replaced, consolidate }) {
      list.set(replaced.toReversed());
      setHidden(empty, replaced.length > 0);
      setHidden(node, !consolidate && replaced.length === 0);
    },
  };
}

function makeReplacedRow({ id: memoryId }) {
  const id = `replaced-${++ids}`;
  const content = element("p", { className: "content", id });
  const time = element("time");
  const by = element("span");
  const button = (text, call, done) =>
    element(
      "button",
      {
        type: "button",
        "aria-describedby": id,
        onclick: async () => {
          const next = focusNear(node);
          try {
            await act(call, { id: memoryId });
            say(done);
            next();
          } catch (error) {
            sayError(error);
          }
        },
      },
      text,
    );
  const node = element(
    "li",
    { className: "row" },
    element(
      "div",
      { className: "memory" },
      content,
      element("p", { className: "meta" }, time, by),
      element(
        "div",
        { className: "actions" },
        button(texts.restore, "restore-memory", texts.restored),
        button(texts.delete, "delete-memory", texts.deleted),
      ),
    ),
  );
  return {
    node,
    update({ content: words, replacedAt, replacement }) {
      setText(content, words);
      setText(time, format.time(replacedAt));
      time.dateTime = format.isoTime(replacedAt);
      setText(by, fill(texts.replacedBy, { content: replacement ?? texts.replacementGone }));
    },
  };
}
