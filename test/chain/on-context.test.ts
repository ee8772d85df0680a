import { expect, test } from "vitest";
import type { ContextReport } from "../../src/index.js";
import { chainWorld } from "./world.js";

test("onContext says after each assembly which files and memories went in, and no text", async () => {
  const world = await chainWorld();
  await world.write("rules/style.md", "Answer briefly.");
  const { id } = await world.workspace.memories.add("prefers zsh");
  const reports: ContextReport[] = [];
  const memory = world.memoryOf({ sessionId: "s", onContext: (report) => reports.push(report) });

  await memory.loadMemoryVariables({ input: "hi" });

  expect(reports).toMatchObject([
    {
      sessionId: "s",
      segments: [
        { kind: "rules", sources: ["style.md"], omitted: 0 },
        { kind: "memory", sources: [id], omitted: 0 },
      ],
    },
  ]);
  expect(JSON.stringify(reports)).not.toMatch(/zsh|briefly/);
});

test("an onContext that throws is warned of once and changes nothing", async () => {
  const world = await chainWorld();
  await world.workspace.memories.add("prefers zsh");
  const memory = world.memoryOf({
    onContext: () => {
      throw new Error("mine");
    },
  });

  await memory.loadMemoryVariables({ input: "hi" });
  const { history } = await memory.loadMemoryVariables({ input: "hi" });

  expect(history).toContain("prefers zsh");
  expect(world.logger.warnings).toHaveLength(1);
});
