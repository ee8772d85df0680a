import { element, setHidden } from "./dom.js";
import { number } from "./format.js";
import { texts } from "./texts.js";

/** What learning cost, by day. */
export function makeUsageSection() {
  const columns = ["usageDay", "usageRequests", "usageCharacters", "usageStored", "usageFailures"];
  const body = element("tbody");
  const table = element(
    "table",
    {},
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        columns.map((name) => element("th", { scope: "col" }, texts[name])),
      ),
    ),
    body,
  );
  const empty = element("p", { className: "empty" }, texts.usageNone);
  const node = element(
    "section",
    { "aria-labelledby": "usage-heading" },
    element("h2", { id: "usage-heading" }, texts.usage),
    element("p", { className: "hint" }, texts.usageHint),
    element("div", { className: "scrolling" }, table),
    empty,
  );
  let shown;
  return {
    node,
    update({ usage }) {
      const wanted = JSON.stringify(usage);
      if (shown === wanted) return;
      shown = wanted;
      setHidden(table, usage.length === 0);
      setHidden(empty, usage.length > 0);
      body.replaceChildren(
        ...usage.map(({ day, requests, characters, stored, failures }) =>
          element(
            "tr",
            {},
            element("th", { scope: "row" }, day),
            [requests, characters, stored, failures].map((count) => element("td", {}, number(count))),
          ),
        ),
      );
    },
  };
}
