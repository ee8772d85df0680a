import { keepFresh, onConnection, onState } from "./actions.js";
import { makeAssetSection } from "./assets.js";
import { makeBudgetSection } from "./budgets.js";
import { makeCandidateSection } from "./candidates.js";
import { element, setHidden, setText } from "./dom.js";
import { makeMemorySection } from "./memories.js";
import { makeReplacedSection } from "./replaced.js";
import { makeSessionSection } from "./sessions.js";
import { statusNodes } from "./status.js";
import { texts } from "./texts.js";
import { makeUsageSection } from "./usage-table.js";

const page = document.getElementById("page");
const stale = element("p", { className: "notice", role: "alert", hidden: true });
let sections;

function build(state) {
  const { canManageAssets } = state;
  sections = [
    makeMemorySection(state),
    makeCandidateSection(state),
    makeReplacedSection(),
    ...(canManageAssets ? ["rules", "skills"].map((kind) => makeAssetSection(kind, state)) : []),
    makeBudgetSection(),
    makeSessionSection(),
    makeUsageSection(),
  ];
  const otherLanguage = document.documentElement.lang === "en" ? "zh-CN" : "en";
  page.replaceChildren(
    element(
      "header",
      {},
      element("h1", {}, texts.title),
      element(
        "a",
        { href: `?lang=${otherLanguage}`, lang: otherLanguage, hreflang: otherLanguage },
        texts.otherLanguage,
      ),
    ),
    stale,
    ...sections.map(({ node }) => node),
  );
  page.removeAttribute("aria-busy");
  document.body.append(element("div", { className: "toasts" }, statusNodes));
}

onState((state) => {
  if (sections === undefined) build(state);
  for (const section of sections) section.update(state);
});
onConnection((problem) => {
  if (problem !== undefined && sections === undefined) {
    page.replaceChildren(element("p", { role: "alert" }, problem));
    return;
  }
  setText(stale, problem === undefined ? "" : `${texts.stale} ${problem}`);
  setHidden(stale, problem === undefined);
});
await keepFresh();
