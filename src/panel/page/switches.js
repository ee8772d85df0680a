import { act } from "./actions.js";
import { element } from "./dom.js";
import { say, sayError } from "./status.js";
import { texts } from "./texts.js";

let ids = 0;

/** A switch with its label. `change` gets the new position; where it fails the switch goes back. */
export function makeSwitch(label, hint, change) {
  const id = `switch-${++ids}`;
  const input = element("input", {
    id,
    type: "checkbox",
    role: "switch",
    className: "switch",
    "aria-describedby": hint && `${id}-hint`,
    onchange: async () => {
      const wanted = input.checked;
      try {
        await change(wanted);
        say(texts.saved);
      } catch (error) {
        input.checked = !wanted;
        sayError(error);
      }
    },
  });
  const node = element(
    "div",
    { className: "setting" },
    element(
      "div",
      { className: "words" },
      element("label", { for: id }, label),
      hint && element("small", { id: `${id}-hint` }, hint),
    ),
    input,
  );
  return {
    node,
    input,
    set(on) {
      if (input.checked !== on) input.checked = on;
    },
  };
}

/** A switch of `settings.json`. */
export function makeSettingSwitch(name, label, hint) {
  const made = makeSwitch(label, hint, (on) => act("change-settings", { [name]: on }));
  return { node: made.node, update: ({ settings }) => made.set(settings[name]) };
}

/** The limit of memories: a number that is saved by a button, or by Enter. */
export function makeLimitSetting() {
  const id = "memory-limit";
  let saved;
  const input = element("input", {
    id,
    type: "number",
    inputMode: "numeric",
    required: true,
    "aria-describedby": `${id}-hint`,
  });
  const form = element(
    "form",
    {
      className: "setting",
      noValidate: true,
      onsubmit: async (event) => {
        event.preventDefault();
        try {
          await act("change-settings", { aiMemoryLimit: input.value === "" ? null : Number(input.value) });
          saved = Number(input.value);
          say(texts.saved);
        } catch (error) {
          sayError(error);
          input.focus();
        }
      },
    },
    element(
      "div",
      { className: "words" },
      element("label", { for: id }, texts.memoryLimit),
      element("small", { id: `${id}-hint` }, texts.memoryLimitHint),
    ),
    element("span", { className: "inline" }, input, element("button", {}, texts.save)),
  );
  return {
    node: form,
    update({ settings, limitRange }) {
      input.min = limitRange.min;
      input.max = limitRange.max;
      // What a person is typing is theirs.
      const isTouched = saved !== undefined && input.value !== String(saved);
      if (!isTouched) input.value = settings.aiMemoryLimit;
      saved = settings.aiMemoryLimit;
    },
  };
}
