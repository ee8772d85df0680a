/**
 * Puts the figures of results.json between the marks in docs/benchmarks.md, in both languages, and draws their picture:
 *
 *     node bench/peers/write.mjs
 */
import { readFile, writeFile } from "node:fs/promises";
import { draw } from "./chart.mjs";
import { tables } from "./tables.mjs";
import { texts } from "./texts.mjs";

const begin = "<!-- peers: begin -->";
const end = "<!-- peers: end -->";
const places = {
  en: { page: "benchmarks.md", picture: "images/peers.svg" },
  "zh-CN": { page: "benchmarks.zh-CN.md", picture: "images/peers.zh-CN.svg" },
};

const results = JSON.parse(await readFile(new URL("results.json", import.meta.url), "utf8"));
for (const [language, { page, picture }] of Object.entries(places)) {
  const text = texts[language];
  const docs = new URL("../../docs/", import.meta.url);
  await writeFile(new URL(picture, docs), draw(results, text));
  const path = new URL(page, docs);
  const [before, rest] = (await readFile(path, "utf8")).split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`${page} has no marks for the figures`);
  const shown = `![${text.chart.title}](${picture})\n\n${tables(results, text)}`;
  await writeFile(path, `${before}${begin}\n\n${shown}\n\n${end}${after}`);
}
