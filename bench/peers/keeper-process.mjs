import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("keeper-child.mjs", import.meta.url));

/** A process of `keeper-child`: what it has, and what it says that it added or refused to. */
export async function startKeeper(who, dir, baseURL) {
  const child = fork(script, [who, dir, baseURL], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const exit = once(child, "exit");
  const told = await Promise.race([
    once(child, "message").then(([message]) => message),
    exit.then(([status]) => {
      throw new Error(`${who} ended with ${status} before it began`);
    }),
  ]);
  const added = [];
  const refused = [];
  const firstAdded = new Promise((resolve, reject) => {
    child.on("message", (message) => {
      if (message.added !== undefined) added.push(message.added);
      if (message.refused !== undefined) refused.push(message.refused);
      if (added.length > 0) resolve();
    });
    child.on("exit", reject);
  });
  // Only who kills it waits for that.
  firstAdded.catch(() => {});
  return {
    ...told,
    added,
    refused,
    firstAdded,
    add: (task) => child.send(task),
    kill: () => child.kill("SIGKILL"),
    ended: () => exit,
  };
}
