import { act } from "./actions.js";
import { makeCounter } from "./counter.js";
import { element, setHidden, setText } from "./dom.js";
import { focusNear } from "./focus-near.js";
import * as format from "./format.js";
import { store } from "./secret-question.js";
import { say, sayError } from "./status.js";
import { fill, texts } from "./texts.js";

let ids = 0;

/** One candidate with what it would replace: accept it, put it in other words first, or reject it. */
export function makeCandidateRow({ id: candidateId }, { maxLength, onClosed }) {
  let candidate;
  let form;
  let isGone = false;
  const id = `candidate-${++ids}`;
  const content = element("p", { className: "content", id });
  const time = element("time");
  const source = element("span");
  const replaced = element("ul", { className: "replaced", "aria-label": texts.wouldReplace });
  const replacedLabel = element("p", { className: "hint" }, texts.wouldReplace);
  const button = (text, onclick, className = "") =>
    element("button", { type: "button", className, onclick, "aria-describedby": id }, text);
  const edit = button(texts.acceptEdited, () => startEdit());
  const shown = element(
    "div",
    { className: "memory" },
    content,
    element("div", {}, element("p", { className: "meta" }, time, source), replacedLabel, replaced),
    element(
      "div",
      { className: "actions" },
      button(texts.accept, () => decide("accept-candidate", texts.accepted), "primary"),
      edit,
      button(texts.reject, () => decide("reject-candidate", texts.rejected)),
    ),
  );
  const node = element("li", { className: "row" }, shown);

  async function decide(call, done) {
    const next = focusNear(node);
    try {
      await act(call, { id: candidateId });
      say(done);
      next();
    } catch (error) {
      sayError(error);
    }
  }

  function startEdit() {
    const field = element("textarea", { id: `${id}-field`, rows: 3, value: candidate.content });
    const counter = makeCounter(field, maxLength);
    const notice = element(
      "p",
      { className: "notice", role: "status", hidden: true },
      texts.decidedElsewhere,
    );
    const close = () => {
      form.node.remove();
      form = undefined;
      setHidden(shown, false);
      const next = isGone ? focusNear(node) : () => edit.focus();
      onClosed();
      next();
    };
    const save = async (event) => {
      event.preventDefault();
      try {
        await store("accept-candidate", { id: candidateId, content: field.value });
        say(texts.accepted);
        close();
      } catch (error) {
        sayError(error);
        field.focus();
      }
    };
    const formNode = element(
      "form",
      {
        noValidate: true,
        onsubmit: save,
        onkeydown: (event) => {
          if (event.key === "Escape") close();
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save(event);
        },
      },
      element("label", { for: field.id }, texts.candidateEditLabel),
      field,
      counter.node,
      notice,
      element(
        "div",
        { className: "actions" },
        element("button", { className: "primary" }, texts.accept),
        element("button", { type: "button", onclick: close }, texts.cancel),
      ),
    );
    form = { node: formNode, notice };
    setHidden(shown, true);
    node.append(formNode);
    field.focus();
  }

  return {
    node,
    update(next) {
      isGone = false;
      candidate = next;
      setText(content, candidate.content);
      setText(time, format.time(candidate.createdAt));
      time.dateTime = format.isoTime(candidate.createdAt);
      const from = format.source(candidate.sourceScope, texts.globalSource);
      setText(source, fill(texts.source, { source: from }));
      source.title = candidate.sourceScope;
      const old = candidate.wouldReplace.map((memory) => memory.content);
      setHidden(replaced, old.length === 0);
      setHidden(replacedLabel, old.length === 0);
      if (JSON.stringify(old) !== replaced.dataset.shown) {
        replaced.dataset.shown = JSON.stringify(old);
        replaced.replaceChildren(...old.map((text) => element("li", {}, text)));
      }
    },
    /** Words that are being typed stay, also where somebody else has decided meanwhile. */
    mustStay() {
      if (form === undefined) return false;
      isGone = true;
      setHidden(form.notice, false);
      return true;
    },
  };
}
