import { element, setText } from "./dom.js";
import { countCharacters } from "./format.js";
import { fill, texts } from "./texts.js";

/** Counts what is typed, live, against the limit; only being over it is read out. */
export function makeCounter(field, max) {
  const count = element("span", { className: "count" });
  const over = element("span", { className: "over", role: "status", id: `${field.id}-over` });
  const node = element("p", { className: "counter" }, count, " ", over);
  field.setAttribute("aria-describedby", over.id);
  const draw = () => {
    const length = countCharacters(field.value);
    setText(count, fill(texts.count, { count: length, max }));
    setText(over, length > max ? fill(texts.countTooLong, { count: length - max }) : "");
    node.classList.toggle("too-long", length > max);
    if (length > max) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  };
  field.addEventListener("input", draw);
  draw();
  return { node, draw };
}
