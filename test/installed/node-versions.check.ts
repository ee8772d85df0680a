import { join } from "node:path";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { App } from "../package/app.js";
import { command } from "../package/command.js";
import { expectUses } from "./uses.js";

const packed = inject("packed");

const app = App.at(inject("appDirectory"));

// The oldest that `engines` admits, and the newest of each later line that is kept up.
describe.each(["20.17.0", "22", "24"])("with Node %s", (version) => {
  let node: string;
  beforeAll(async () => {
    const home = await App.create(packed, `node-${version}`);
    // Its installation fetches the binary of this machine by a script.
    await home.npm("install", "--no-audit", "--no-fund", "--loglevel=error", `node@${version}`);
    node = join(home.directory, "node_modules/node/bin/node");
    const printed = await command(home.directory, node, ["--version"]);
    expect(printed).toMatch(new RegExp(`^v${version.replaceAll(".", "\\.")}`));
    console.log(printed.trim());
  });

  test("a chain, agents, tools and the page work by import", () => expectUses(app, "import", node));

  test("they work by require", () => expectUses(app, "require", node));

  test("the command works", async () => {
    const cli = join(app.directory, "node_modules/langchain-cross-session-memory/dist/cli/index.mjs");
    await command(app.directory, node, [cli, "add", "The user prefers zsh.", "--dir", "ai"]);
    expect(await command(app.directory, node, [cli, "list", "--dir", "ai"])).toContain("zsh");
  });
});
