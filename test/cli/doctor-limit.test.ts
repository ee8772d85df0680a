import { expect, it } from "vitest";
import { MemoryWorkspace } from "../../src/index.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { useCli } from "./cli-process.js";

const cli = useCli();

it("a full store is told of a higher limit with selection relevant, with figures; a roomy one is not", async () => {
  const dir = await temporaryFolder();
  const { memories, settings } = new MemoryWorkspace({ dir });
  const items = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      id: `m-${at}`,
      content: `fact ${at}`,
      createdAt: at,
      sourceScope: "global",
    }));
  const findings = async (...locale: string[]) => {
    const { stdout } = await cli.run(["doctor", "--json", "--dir", dir, ...locale], { cwd: dir });
    return (JSON.parse(stdout).findings as { code: string; text: string; cure: string }[]).filter(
      ({ code }) => code === "memories-at-limit",
    );
  };
  await memories.save(items(99));
  expect(await findings()).toEqual([]);
  await memories.save(items(100));
  const [english] = await findings("--locale", "en");
  expect(english?.text).toMatch(/limit 100.*35 %, 68 % and 83 %/);
  expect(english?.cure).toMatch(/limit 325.*selection: "relevant"/);
  const [chinese] = await findings("--locale", "zh-CN");
  expect(chinese?.text).toMatch(/上限 100.*35 %、68 %、83 %/);
  await settings.update({ aiMemoryLimit: 325 });
  expect(await findings()).toEqual([]);
});
