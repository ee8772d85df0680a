import { element, reconcile, setHidden, setText } from "./dom.js";
import { number, size } from "./format.js";
import { fill, texts } from "./texts.js";

/** A bar for each budget: how much of it the next call uses, and what is left out. */
export function makeBudgetSection() {
  const rows = new Map();
  const list = element("ul", { className: "rows" });
  const shared = element("p", { className: "hint", hidden: true });
  const node = element(
    "section",
    { "aria-labelledby": "budgets-heading" },
    element("h2", { id: "budgets-heading" }, texts.budgets),
    element("p", { className: "hint" }, texts.budgetsHint),
    shared,
    list,
  );
  return {
    node,
    update({ budgets, sharedAssetBudget }) {
      reconcile(list, rows, budgets, ({ kind }) => kind, makeBudgetRow);
      setHidden(shared, sharedAssetBudget === undefined);
      if (sharedAssetBudget !== undefined) {
        setText(shared, fill(texts.sharedBudget, { budget: size(sharedAssetBudget) }));
      }
    },
  };
}

function makeBudgetRow({ kind }) {
  const id = `budget-${kind}`;
  const use = element("span");
  const bar = element("meter", { id, min: 0 });
  const counts = element("p", { className: "meta" });
  const node = element(
    "li",
    { className: "row budget" },
    element("p", { className: "inline" }, element("label", { for: id }, texts[kind]), use),
    bar,
    counts,
  );
  return {
    node,
    update({ bytes, budget, included, leftOut }) {
      const isLimited = budget !== undefined;
      setText(
        use,
        isLimited
          ? fill(texts.budgetUse, { bytes: size(bytes), budget: size(budget) })
          : fill(texts.budgetFree, { bytes: size(bytes) }),
      );
      setHidden(bar, !isLimited);
      if (isLimited) {
        bar.max = budget;
        bar.high = budget * 0.9;
        bar.value = bytes;
        bar.textContent = use.textContent;
      }
      const countOf = (wanted) => leftOut.filter(({ reason }) => reason === wanted).length;
      const parts = [
        [texts.budgetIn, included, true],
        [texts.budgetOut, countOf("budget"), false],
        [texts.budgetOff, countOf("off"), false],
        [texts.budgetEmpty, countOf("empty"), false],
      ];
      const spans = parts
        .filter(([, count, always]) => always || count > 0)
        .map(([text, count]) =>
          element(
            "span",
            { className: text === texts.budgetOut ? "warning" : "" },
            fill(text, { count: number(count) }),
          ),
        );
      if (
        spans.map((span) => span.textContent).join() !==
        [...counts.children].map((span) => span.textContent).join()
      ) {
        counts.replaceChildren(...spans);
      }
    },
  };
}
