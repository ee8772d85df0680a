import { element } from "./dom.js";
import { texts } from "./texts.js";

/** A second question before something that can't be undone. Gives `undefined` where the person thinks better of it. */
export function confirmDialog({ title, lines, option, confirm }) {
  const checkbox = option && element("input", { type: "checkbox", id: "dialog-option" });
  const cancel = element("button", { type: "button", onclick: () => dialog.close() }, texts.cancel);
  const agree = element(
    "button",
    { type: "button", className: "danger", onclick: () => dialog.close("agreed") },
    confirm,
  );
  const dialog = element(
    "dialog",
    { "aria-labelledby": "dialog-title" },
    element("h2", { id: "dialog-title" }, title),
    lines.map((line) => element("p", {}, line)),
    checkbox && element("p", {}, checkbox, " ", element("label", { for: "dialog-option" }, option)),
    element("p", { className: "actions" }, cancel, agree),
  );
  return open(dialog, cancel, () =>
    dialog.returnValue === "agreed" ? { option: checkbox?.checked === true } : undefined,
  );
}

/** Shows something in front of the page. */
export function showDialog(title, ...content) {
  const close = element("button", { type: "button", onclick: () => dialog.close() }, texts.close);
  const body = element(
    "div",
    { className: "dialog-body", tabIndex: 0, role: "region", "aria-label": title },
    content,
  );
  const dialog = element(
    "dialog",
    { className: "wide", "aria-labelledby": "dialog-title" },
    element("h2", { id: "dialog-title" }, title),
    body,
    element("p", { className: "actions" }, close),
  );
  return open(dialog, close, () => undefined);
}

function open(dialog, first, resultOf) {
  const opener = document.activeElement;
  document.body.append(dialog);
  dialog.showModal();
  first.focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (opener?.isConnected) opener.focus();
      resolve(resultOf());
    });
  });
}
