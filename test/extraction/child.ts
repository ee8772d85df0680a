import { MemoryWorkspace } from "../../src/index.js";
import { ScriptedModel, type ScriptedReply } from "../support/scripted-model.js";

/** What a child process does: `node child.mjs <what> <dir>`. It says on its output how far it is. */
const [, , what, dir = ""] = process.argv;
const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
const talk = "talk ".repeat(1000);

function workspaceOf(...replies: ScriptedReply[]): MemoryWorkspace {
  return new MemoryWorkspace({
    dir,
    model: new ScriptedModel(...replies),
    logger: { warn: () => {}, error: () => {} },
  });
}

async function turn(workspace: MemoryWorkspace): Promise<void> {
  await workspace.recordTurn("s1", [
    { role: "user", content: talk, id: "u1" },
    { role: "assistant", content: "ok", id: "a1" },
  ]);
}

const never = new Promise<string>(() => {});

const acts: Record<string, () => Promise<void>> = {
  clear: async () => say(`cleared ${await workspaceOf().memories.clear()}`),
  /** Asks, and is ended from outside before there is an answer. */
  "hang in an extraction": async () => {
    const workspace = workspaceOf(async () => {
      say("asked");
      await new Promise((resolve) => setTimeout(resolve, 600_000));
      return "[]";
    });
    await turn(workspace);
    await workspace.idle();
  },
  /** Nothing but our own time-out would keep this process open. */
  "end with an extraction under way": async () => {
    await turn(workspaceOf(() => never));
    say("recorded");
  },
  "wait for idle": async () => {
    // The answer comes by a timer that holds nothing open.
    const workspace = workspaceOf(async () => {
      await new Promise((resolve) => setTimeout(resolve, 300).unref());
      return '[{"content":"Likes tea"}]';
    });
    await turn(workspace);
    await workspace.idle();
    say(`stored ${(await workspace.memories.list()).length}`);
  },
  "fail in every way": async () => {
    const failures: ScriptedReply[] = [
      new Error("rejects"),
      () => {
        throw new Error("throws");
      },
      () => Promise.reject(undefined),
      () => Promise.reject("a string"),
      "not JSON",
    ];
    for (const failure of failures) {
      const workspace = new MemoryWorkspace({
        dir,
        model: new ScriptedModel(failure),
        logger: {
          warn: () => {
            throw new Error("broken logger");
          },
          error: () => {
            throw new Error("broken logger");
          },
        },
      });
      const { memories, extraction } = workspace.store;
      for (const broken of [undefined, "memories", "extraction", "lease"]) {
        if (broken === "memories") memories.read = () => Promise.reject(new Error("broken"));
        if (broken === "extraction") extraction.change = () => Promise.reject(new Error("broken"));
        if (broken === "lease") extraction.tryLease = () => Promise.reject(new Error("broken"));
        await turn(workspace);
        await workspace.recordTurn("s1", [
          ["human", talk],
          ["ai", "ok"],
        ]);
        await workspace.idle();
      }
    }
    await new Promise((resolve) => setImmediate(resolve));
    say("alive");
  },
};

await acts[what ?? ""]?.();
