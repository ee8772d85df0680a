import { act } from "./actions.js";
import { makeCounter } from "./counter.js";
import { element, setHidden, setText } from "./dom.js";
import * as format from "./format.js";
import { makeOrigin } from "./memory-origin.js";
import { store } from "./secret-question.js";
import { say, sayError } from "./status.js";
import { fill, texts } from "./texts.js";

const shownCharacters = 80;
let ids = 0;

/** One memory: cut short until it is clicked, and a form in its place while it is corrected. */
export function makeMemoryRow(first, { maxLength, focusAfter }) {
  let item = first;
  let isOpen = false;
  let form;
  const id = `memory-${++ids}`;
  const content = element("button", {
    type: "button",
    className: "content",
    id,
    onclick: () => {
      isOpen = !isOpen;
      draw();
    },
  });
  const time = element("time");
  const source = element("span");
  const pinnedMark = element("span");
  const leftOut = element("span", { className: "warning" });
  const origin = makeOrigin();
  const edit = element("button", { type: "button", onclick: () => startEdit() }, texts.edit);
  const pin = element("button", { type: "button", onclick: () => switchPin() }, texts.pin);
  const remove = element("button", { type: "button", onclick: () => removeItem() }, texts.delete);
  for (const button of [edit, pin, remove]) button.setAttribute("aria-describedby", id);
  const shown = element(
    "div",
    { className: "memory" },
    content,
    element("p", { className: "meta" }, time, source, pinnedMark, leftOut),
    origin.node,
    element("div", { className: "actions" }, edit, pin, remove),
  );
  const node = element("li", { className: "row" }, shown);

  function draw() {
    const short = format.firstCharacters(item.content, shownCharacters);
    const isLong = short !== item.content;
    setText(content, isLong && !isOpen ? `${short}…` : item.content);
    const opens = isLong || item.source !== undefined;
    content.disabled = !opens;
    if (opens) {
      content.setAttribute("aria-expanded", String(isOpen));
      content.title = isOpen ? texts.collapse : texts.expand;
    } else {
      content.removeAttribute("aria-expanded");
      content.title = "";
    }
    setText(time, format.time(item.createdAt));
    time.dateTime = format.isoTime(item.createdAt);
    const from = format.source(item.sourceScope, texts.globalSource);
    setText(source, fill(texts.source, { source: from }));
    source.title = item.sourceScope;
    setText(pinnedMark, item.pinned === true ? texts.pinned : "");
    pin.setAttribute("aria-pressed", String(item.pinned === true));
    origin.show(isOpen ? item.source : undefined);
    setText(leftOut, item.isLeftOut ? texts.notInjectedBudget : "");
  }

  async function switchPin() {
    const pinned = item.pinned !== true;
    try {
      await act("pin-memory", { id: item.id, pinned });
      say(pinned ? texts.nowPinned : texts.nowUnpinned);
    } catch (error) {
      sayError(error);
    }
  }

  async function removeItem() {
    const next = focusAfter(node);
    try {
      await act("delete-memory", { id: item.id });
      say(texts.deleted);
      next();
    } catch (error) {
      sayError(error);
    }
  }

  function startEdit() {
    const former = item.content;
    const field = element("textarea", { id: `${id}-field`, rows: 3, value: former });
    const counter = makeCounter(field, maxLength);
    const notice = element(
      "p",
      { className: "notice", role: "status", hidden: true },
      texts.changedElsewhere,
    );
    const finish = () => {
      form.node.remove();
      form = undefined;
      setHidden(shown, false);
      edit.focus();
    };
    const save = async (event) => {
      event.preventDefault();
      try {
        await store("edit-memory", { id: item.id, content: field.value });
        finish();
        say(texts.saved);
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
          if (event.key === "Escape") finish();
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save(event);
        },
      },
      element("label", { for: field.id }, texts.editLabel),
      field,
      counter.node,
      notice,
      element(
        "div",
        { className: "actions" },
        element("button", { className: "primary" }, texts.save),
        element("button", { type: "button", onclick: finish }, texts.cancel),
      ),
    );
    form = { node: formNode, former, notice };
    setHidden(shown, true);
    node.append(formNode);
    field.focus();
  }

  return {
    node,
    edit,
    remove,
    update(next) {
      if (form !== undefined) setHidden(form.notice, next.content === form.former);
      item = next;
      draw();
    },
    /** A correction that is being typed is not taken away because the memory went elsewhere. */
    mustStay() {
      if (form === undefined) return false;
      setHidden(form.notice, false);
      return true;
    },
  };
}
