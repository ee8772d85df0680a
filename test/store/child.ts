/** Another process that shares the folder: `child <task> <dir> <argument>`. Says on stdout how far it is, a line each. */
import { writeSync } from "node:fs";
import { MemoryWorkspace } from "../../src/index.js";

const [, , task = "", dir = "", argument = ""] = process.argv;
const workspace = new MemoryWorkspace({ dir, limit: 1000, logger: { warn: say, error: say } });

function say(line: string): void {
  writeSync(1, `${line}\n`);
}

const tasks: Record<string, () => Promise<unknown>> = {
  async add() {
    const [name, count] = argument.split(":");
    for (let number = 0; number < Number(count); number++) await workspace.memories.add(`${name} ${number}`);
  },
  async "add-until-refused"() {
    process.on("SIGXFSZ", () => {});
    for (let number = 0; ; number++) {
      try {
        await workspace.memories.add(`${number} ${"事实".repeat(70)}`);
        say(`added ${number}`);
      } catch (error) {
        say(`refused ${(error as { code?: string }).code}`);
        return;
      }
    }
  },
  clear: () => workspace.memories.clear({ waiting: true }),
  remove: () => workspace.memories.remove(argument),
  "remove-session": () => workspace.sessions.remove(argument),
};

await tasks[task]?.();
