import { type LocaleName, locales } from "../locales/index.js";
import { peopleErrorTexts } from "../locales/people-errors.js";
import { panelTexts } from "../locales/people-panel.js";
import actions from "./page/actions.js?raw";
import assets from "./page/assets.js?raw";
import budgets from "./page/budgets.js?raw";
import candidateRow from "./page/candidate-row.js?raw";
import candidates from "./page/candidates.js?raw";
import counter from "./page/counter.js?raw";
import dialogs from "./page/dialogs.js?raw";
import dom from "./page/dom.js?raw";
import focusNear from "./page/focus-near.js?raw";
import format from "./page/format.js?raw";
import longList from "./page/long-list.js?raw";
import main from "./page/main.js?raw";
import markdown from "./page/markdown.js?raw";
import memories from "./page/memories.js?raw";
import memoryOrigin from "./page/memory-origin.js?raw";
import memoryRow from "./page/memory-row.js?raw";
import replaced from "./page/replaced.js?raw";
import secretQuestion from "./page/secret-question.js?raw";
import sessions from "./page/sessions.js?raw";
import status from "./page/status.js?raw";
// biome-ignore lint/correctness/useImportExtensions: a style sheet, taken as text
import style from "./page/style.css?raw";
import switches from "./page/switches.js?raw";
import texts from "./page/texts.js?raw";
import usageTable from "./page/usage-table.js?raw";
import { PanelFault } from "./panel-fault.js";
import { text, unlessKnown } from "./responses.js";

const script = "text/javascript";

const files: Readonly<Record<string, { readonly type: string; readonly body: string }>> = {
  "actions.js": { type: script, body: actions },
  "assets.js": { type: script, body: assets },
  "budgets.js": { type: script, body: budgets },
  "candidate-row.js": { type: script, body: candidateRow },
  "candidates.js": { type: script, body: candidates },
  "counter.js": { type: script, body: counter },
  "dialogs.js": { type: script, body: dialogs },
  "dom.js": { type: script, body: dom },
  "focus-near.js": { type: script, body: focusNear },
  "format.js": { type: script, body: format },
  "long-list.js": { type: script, body: longList },
  "main.js": { type: script, body: main },
  "markdown.js": { type: script, body: markdown },
  "memories.js": { type: script, body: memories },
  "memory-origin.js": { type: script, body: memoryOrigin },
  "memory-row.js": { type: script, body: memoryRow },
  "replaced.js": { type: script, body: replaced },
  "secret-question.js": { type: script, body: secretQuestion },
  "sessions.js": { type: script, body: sessions },
  "status.js": { type: script, body: status },
  "style.css": { type: "text/css", body: style },
  "switches.js": { type: script, body: switches },
  "texts.js": { type: script, body: texts },
  "usage-table.js": { type: script, body: usageTable },
  "texts-zh-CN.js": { type: script, body: textsModule("zh-CN") },
  "texts-en.js": { type: script, body: textsModule("en") },
};

export function answerPageFile(request: Request, name: string): Response {
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  if (file === undefined) throw new PanelFault(404, "ERR_REQUEST_INVALID");
  return unlessKnown(request, file.body, (etag) =>
    text(file.body, file.type, { etag, "cache-control": "private, no-cache" }),
  );
}

/** The page itself holds no text of a user: its script reads all of it. `base` is a path without an ending slash. */
export function answerPage(base: string, language: LocaleName): Response {
  const { title, loading, noScript } = panelTexts[language];
  const preloads = Object.keys(files)
    .filter((name) => name.endsWith(".js") && (!name.startsWith("texts-") || name === `texts-${language}.js`))
    .map((name) => `<link rel="modulepreload" href="${escaped(`${base}/assets/${name}`)}">`);
  const page = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${escaped(`${base}/assets/style.css`)}">
${preloads.join("\n")}
<script type="module" src="${escaped(`${base}/assets/main.js`)}"></script>
</head>
<body>
<noscript>${escaped(noScript)}</noscript>
<main id="page" aria-busy="true"><p>${escaped(loading)}</p></main>
</body>
</html>
`;
  return text(page, "text/html", { "content-language": language });
}

function textsModule(language: LocaleName): string {
  const all = {
    ...panelTexts[language],
    ...locales[language].people,
    errors: peopleErrorTexts[language],
  };
  return `export const texts = ${JSON.stringify(all)};\n`;
}

function escaped(value: string): string {
  const marks: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return value.replace(/[&<>"']/gu, (mark) => marks[mark] ?? mark);
}
