/**
 * Two sessions with one folder between them. In the first a user talks for more than 4000 characters, and facts are
 * distilled in the background; in the second the answer to a question needs one of them.
 *
 *     npm run demo -- [--lang zh-CN|en] [--no-memory] [--dir <folder>]
 *
 * Ends with status 1 where the fact is missing, where a password was kept, or where `--no-memory` knows the fact.
 */
import { cp, mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { MemoryWorkspace } from "langchain-cross-session-memory";
import { openModel } from "../model.mjs";
import { playFirstSession } from "./first-session.mjs";
import { heading, paint, say } from "./screen.mjs";
import { playSecondSession } from "./second-session.mjs";
import { texts as allTexts } from "./texts.mjs";
import { showLearned } from "./what-was-learned.mjs";

const { lang, dir: folder, "no-memory": noMemory } = readOptions();
const texts = allTexts[lang];
const { turns, laterSession, leftOut } = JSON.parse(
  await readFile(new URL(`conversation.${lang}.json`, import.meta.url), "utf8"),
);
const startedAt = performance.now();
const dir = folder === undefined ? await mkdtemp(join(tmpdir(), "cross-session-memory-")) : resolve(folder);
await cp(new URL(`ai.${lang}`, import.meta.url), dir, { recursive: true, force: false });

// A little slow on purpose, so that the chat is seen to go on while the extraction runs.
const connection = await openModel({ chatDelayMs: 15, extractionDelayMs: 200 });
const budgets = { assetBudget: 16_384, memoryBudget: 8192 };
const openWorkspace = (model) =>
  new MemoryWorkspace({ dir, model, locale: lang, enabled: !noMemory, ...budgets });

say(paint("bold", texts.title));
say(connection.standIn ? texts.standIn : texts.realModel(connection.name));
say(texts.memory(!noMemory));

heading(texts.firstSession(turns.length, [...turns.join("")].length));
const first = await playFirstSession({ connection, openWorkspace, dir, turns, leftOut, texts });
const secretKept = await showLearned({ ...first, dir, leftOut, memoryOn: !noMemory, texts });
await first.workspace.close();

heading(texts.secondSession);
const second = { connection, openWorkspace, budgets, question: laterSession.question, texts };
const known = (await playSecondSession(second)).includes(laterSession.fact);
await connection.close();

say(
  `\n${paint("dim", `${texts.folder(dir)}\n${texts.took(((performance.now() - startedAt) / 1000).toFixed(1))}`)}`,
);
const good = known === !noMemory && !secretKept;
say(paint(good ? "green" : "red", known ? texts.found(laterSession.fact) : texts.missing(laterSession.fact)));
process.exitCode = good ? 0 : 1;

function readOptions() {
  const options = {
    lang: { type: "string", default: "zh-CN" },
    dir: { type: "string" },
    "no-memory": { type: "boolean", default: false },
  };
  try {
    const { values } = parseArgs({ options });
    if (Object.hasOwn(allTexts, values.lang)) return values;
  } catch {
    // An unknown option gets the same answer as a wrong language: how to call the demo.
  }
  process.stderr.write("usage: demo.mjs [--lang zh-CN|en] [--no-memory] [--dir <folder>]\n");
  process.exit(2);
}
