import { makeCandidateRow } from "./candidate-row.js";
import { element, setHidden } from "./dom.js";
import { makeLongList } from "./long-list.js";
import { texts } from "./texts.js";

/** What was learned and waits for a person's yes; seen only where something waits or will. */
export function makeCandidateSection({ maxContentLength }) {
  let state;
  const empty = element("p", { className: "empty" }, texts.noCandidates);
  const list = makeLongList(
    texts.candidates,
    ({ id }) => id,
    (candidate) => makeCandidateRow(candidate, { maxLength: maxContentLength, onClosed: draw }),
  );
  const node = element(
    "section",
    { "aria-labelledby": "candidates-heading" },
    element("h2", { id: "candidates-heading" }, texts.candidates),
    element("p", { className: "hint" }, texts.candidatesHint),
    list.nodes,
    empty,
  );
  function draw() {
    const { candidates, review } = state;
    list.set(candidates.toReversed());
    setHidden(empty, candidates.length > 0);
    // What somebody is typing is not taken away.
    setHidden(node, !review && list.rows.size === 0);
  }

  return {
    node,
    update(next) {
      state = next;
      draw();
    },
  };
}
