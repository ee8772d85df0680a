import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { type Logger, MemoryWorkspace, type WorkspaceOptions } from "../../src/index.js";
import { startLocalServer } from "../../src/panel/local-server.js";
import { temporaryFolder } from "../support/temporary-folder.js";

export const executablePath = "/usr/bin/chromium";

/** Says why where the tests of the page are skipped. */
export const hasBrowser = existsSync(executablePath);
if (!hasBrowser) {
  console.warn(
    `The tests of the settings page are skipped: there is no ${executablePath} (apt-get install chromium).`,
  );
}

export interface OpenPageOptions {
  readonly locale?: "zh-CN" | "en";
  readonly colorScheme?: "light" | "dark";
  readonly width?: number;
  /** Of the workspace. */
  readonly options?: WorkspaceOptions;
  /** Fills the folder before the page opens. */
  readonly prepare?: (dir: string, workspace: MemoryWorkspace) => Promise<void>;
}

/** One browser for a file's tests; each test gets a folder, a server and a page of its own. */
export function useBrowser() {
  let browser: Browser;
  beforeAll(async () => {
    if (hasBrowser) browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  });
  afterAll(() => browser?.close());

  return {
    openPage: async ({
      locale = "en",
      colorScheme = "light",
      width = 1000,
      options = {},
      prepare,
    }: OpenPageOptions = {}) => {
      const dir = await temporaryFolder();
      const logger: Logger = { warn() {}, error() {} };
      const workspace = new MemoryWorkspace({ ...options, dir, logger });
      await prepare?.(dir, workspace);
      const openedFolders: string[] = [];
      const server = await startLocalServer(workspace, {
        port: 0,
        locale,
        openFolder: (path) => void openedFolders.push(path),
      });
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } });
      onTestFinished(async () => {
        await context.close();
        await server.close();
      });
      const page = await context.newPage();
      const problems: string[] = [];
      page.on("pageerror", ({ message }) => problems.push(message));
      page.on("console", (message) => {
        if (message.type() === "error") problems.push(message.text());
      });
      await page.goto(server.url);
      await page.waitForSelector("h1");
      return { dir, workspace, server, context, page, problems, openedFolders };
    },
  };
}

/** The section under a heading. */
export function section(page: Page, heading: string) {
  return page.getByRole("region", { name: heading, exact: true });
}
