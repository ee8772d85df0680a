import { beforeAll, expect, inject, test } from "vitest";
import { App } from "../package/app.js";
import { command } from "../package/command.js";
import { installed } from "../package/packed.js";
import { addUses, expectUses, neededByUses } from "./uses.js";

const packed = inject("packed");

let app: App;
/** With nothing hoisted: a package finds what it declares, and nothing else. */
beforeAll(async () => {
  app = await App.create(packed, "pnpm");
  await app.write(".npmrc", "hoist=false\nstrict-peer-dependencies=true\nauto-install-peers=false\n");
  const packages = await Promise.all(neededByUses.map(installed));
  const options = ["--yes", "pnpm@10", "add", "--store-dir", "../pnpm-store"];
  await command(app.directory, "npx", [...options, packed.tarball, ...packages]);
  await addUses(app);
});

test("a chain, agents, tools and the page work by import", () => expectUses(app, "import"));

test("they work by require", () => expectUses(app, "require"));

test("the command works", async () => {
  const lcsm = (...args: string[]) => command(app.directory, "node_modules/.bin/lcsm", args);
  await lcsm("add", "The user prefers zsh.", "--dir", "ai");
  expect(await lcsm("list", "--dir", "ai")).toContain("zsh");
});
