import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { MemoryWorkspace } from "langchain-cross-session-memory";
import { createMemoryPanel, toNodeHandler } from "langchain-cross-session-memory/panel";
import { chromium } from "playwright-core";
import { pairedMedians } from "./median.mjs";
import { inTemporaryFolder, settleFiles } from "./world.mjs";

const executablePath = "/usr/bin/chromium";
const many = { memories: 1000, files: 200 };
const few = { memories: 10, files: 10 };
/** Above it a person feels that the field lags. */
const longestTaskMs = 50;
const typed = "fact number 77";

/** The settings page in Chromium: until it can be used, and the longest task while somebody types in the search. */
export async function measurePanel() {
  if (!existsSync(executablePath)) {
    console.log(`the settings page is not measured: there is no ${executablePath}`);
    return [];
  }
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    return await inTemporaryFolder(async (folder) => {
      const servers = await Promise.all([serve(join(folder, "many"), many), serve(join(folder, "few"), few)]);
      await settleFiles();
      try {
        const [large, small] = servers;
        const usable = await pairedMedians(
          () => inPage(browser, large.url, async ({ usableMs }) => usableMs),
          () => inPage(browser, small.url, async ({ usableMs }) => usableMs),
          { warmUp: 1, pairs: 7 },
        );
        const longest = await inPage(browser, large.url, longestInputTask);
        return [
          {
            name: "the settings page with 1,000 memories and 200 files, until it can be used",
            against: "the same page with 10 and 10",
            limit: 2,
            ...usable,
          },
          {
            name: "the longest task while somebody types in its search, processor time",
            against: "what a person does not feel",
            limit: 1,
            ours: longest,
            theirs: longestTaskMs,
          },
        ];
      } finally {
        for (const { close } of servers) close();
      }
    });
  } finally {
    await browser.close();
  }
}

async function serve(dir, { memories, files }) {
  const workspace = new MemoryWorkspace({ dir, locale: "en" });
  await workspace.settings.update({ aiMemoryLimit: 1000 });
  await mkdir(join(dir, "memory"), { recursive: true });
  const items = Array.from({ length: memories }, (_, number) => ({
    id: `memory-${number}`,
    content: `The user told us fact number ${number}, which is about as long as facts usually are.`,
    createdAt: 1_700_000_000_000 + number,
    sourceScope: "global",
  }));
  await writeFile(join(dir, "memory", "memory.json"), JSON.stringify(items));
  for (const kind of ["rules", "skills"]) {
    await mkdir(join(dir, kind), { recursive: true });
    for (let number = 0; number < files / 2; number++) {
      await writeFile(
        join(dir, kind, `file-${number}.md`),
        `---\nname: file ${number}\n---\nAnswer briefly.\n`,
      );
    }
  }
  const panel = createMemoryPanel(workspace, { authorize: () => ({ canManageAssets: true }) });
  const server = createServer(toNodeHandler(panel));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Each in a context of its own, as a person opens it: nothing is in the browser's cache. */
async function inPage(browser, url, work) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 800 } });
  try {
    const page = await context.newPage();
    const start = performance.now();
    await page.goto(url, { waitUntil: "commit" });
    await page.locator("#memory-search").focus();
    return await work({ browser, page, usableMs: performance.now() - start });
  } finally {
    await context.close();
  }
}

/**
 * Milliseconds of the processor's, as the browser's own trace has them: those of the clock would hold what other programs
 * take of the machine meanwhile.
 */
async function longestInputTask({ browser, page }) {
  // What the first of all keys starts in the browser is not the page's.
  await page.keyboard.type("x");
  await page.keyboard.press("Backspace");
  await browser.startTracing(page, {
    categories: ["disabled-by-default-devtools.timeline", "devtools.timeline"],
  });
  await page.keyboard.type(typed, { delay: 60 });
  for (const _ of typed) await page.keyboard.press("Backspace", { delay: 30 });
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const inputs = traceEvents.filter(
    ({ name, args }) => name === "EventDispatch" && args?.data?.type === "input",
  );
  const tasks = traceEvents.filter(({ name, tdur }) => name === "RunTask" && tdur !== undefined);
  const threads = new Set(inputs.map(({ pid, tid }) => `${pid}/${tid}`));
  const ofPage = tasks.filter(({ pid, tid }) => threads.has(`${pid}/${tid}`));
  if (inputs.length < typed.length || ofPage.length === 0) throw new Error("the trace holds no typing");
  return Math.max(...ofPage.map(({ tdur }) => tdur)) / 1000;
}
