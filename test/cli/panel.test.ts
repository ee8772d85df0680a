import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { executablePath, hasBrowser } from "../panel/browser.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { useCli } from "./cli-process.js";

const cli = useCli();
const link = /^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/u;

/** The command as a person starts it, until it has told its link. */
async function startPanel(...args: string[]) {
  const cwd = await temporaryFolder();
  const child = cli.start(["panel", "--no-open", ...args], { cwd });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const lines: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      lines.push(line);
      const found = /http:[^\s"]+/u.exec(line);
      if (found !== null) resolve(found[0]);
    });
    child.once("close", () => reject(new Error("it ended without a link")));
  });
  return { cwd, child, ended, lines, url };
}

describe("the command `panel`, in a process of its own", () => {
  it("tells one link, which opens once; without it and without its cookie there is nothing", async () => {
    const { url } = await startPanel();
    expect(url).toMatch(link);
    const { origin } = new URL(url);
    for (const path of ["/", "/api/state", "/assets/main.js", "/?token=wrong"]) {
      expect([path, (await fetch(`${origin}${path}`)).status]).toEqual([path, 401]);
    }
    const opened = await fetch(url, { redirect: "manual" });
    expect([opened.status, opened.headers.get("location")]).toEqual([303, "/"]);
    expect((await fetch(url, { redirect: "manual" })).status).toBe(401);
    const cookie = opened.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    expect((await fetch(`${origin}/api/state`, { headers: { cookie } })).status).toBe(200);
  });

  it.skipIf(!hasBrowser)(
    "serves the page to Chromium, and what is added there is in the folder's file",
    async () => {
      const { url, cwd } = await startPanel("--dir", "mine", "--locale", "zh-CN");
      const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
      onTestFinished(() => browser.close());
      const page = await browser.newPage();
      await page.goto(url);
      await page.getByRole("heading", { name: "AI 记忆、规则与技能" }).waitFor();
      expect(new URL(page.url()).search).toBe("");
      await page.getByLabel("添加一条记忆").fill("用 pnpm");
      await page.getByRole("button", { name: "添加", exact: true }).click();
      await page.getByText("已添加。").waitFor();
      const file = await readFile(join(cwd, "mine", "memory", "memory.json"), "utf8");
      expect(JSON.parse(file)).toMatchObject([{ content: "用 pnpm" }]);
      const stranger = await (await browser.newContext()).newPage();
      // An answer without a page is an error of the navigation.
      const [response] = await Promise.all([
        stranger.waitForResponse(url),
        stranger.goto(url).catch(() => {}),
      ]);
      expect(response.status()).toBe(401);
    },
  );

  it("goes on until it is interrupted, and then ends well", async () => {
    const { child, ended, url, lines } = await startPanel();
    expect(lines).toContain("Open this in a browser (the link works once):");
    expect((await fetch(url)).status).toBe(401); // fetch keeps no cookie
    expect(child.exitCode).toBeNull();
    child.kill("SIGINT");
    expect(await ended).toBe(0);
    await expect(fetch(url)).rejects.toThrow();
  });

  it("--json gives the link to a program; --port is taken, and a port in use is refused in words", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const cwd = await temporaryFolder();
    const refused = await cli.run(["panel", "--no-open", "--port", String(port), "--json"], { cwd });
    expect([refused.status, JSON.parse(refused.stdout).error.code]).toEqual([1, "ERR_PORT"]);
    await new Promise((resolve) => server.close(resolve));
    const { child, ended, url } = await startPanel("--json", "--port", String(port));
    expect([url.match(link)?.length, new URL(url).port]).toEqual([1, String(port)]);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  });
});
