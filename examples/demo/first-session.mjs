/** The first session: the turns one by one, and the extraction beside them. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openChat } from "./chat.mjs";
import { brief, pad, paint, say } from "./screen.mjs";

/** Gives the workspace, and how the first of `leftOut`, the password, stood in the queue (memory on only). */
export async function playFirstSession({ connection, openWorkspace, dir, turns, leftOut, texts }) {
  let turn = 0;
  const extractionModel = connection.create({ maxRetries: 1, callbacks: [announce(() => turn, texts)] });
  const workspace = openWorkspace(extractionModel);
  const { chain } = openChat(connection.model, workspace);
  const [secret] = leftOut;
  let masked;
  for (const input of turns) {
    const { response } = await chain.invoke({ input });
    turn += 1;
    say(`${pad(String(turn), 4)}${brief(input, 64)} ${paint("dim", `→ ${brief(response, 36)}`)}`);
    if (input.includes(secret.text)) masked = await readWaiting(dir, input, secret.text);
  }
  await workspace.idle();
  return { workspace, masked };
}

/** The callbacks of the extraction model: they see its requests, which the chat does not. */
function announce(turn, texts) {
  let startedAt;
  let startedAfter;
  return {
    handleChatModelStart() {
      startedAt = performance.now();
      startedAfter = turn();
      say(paint("yellow", `  ▶ ${texts.extractionStarts(startedAfter)}`));
    },
    handleLLMEnd() {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      say(paint("yellow", `  ■ ${texts.extractionEnds(seconds, turn() - startedAfter)}`));
    },
    handleLLMError() {
      say(paint("red", `  ✗ ${texts.extractionFails}`));
    },
  };
}

/** What stands in `waiting.jsonl` around the place where the user wrote the secret. */
async function readWaiting(dir, input, secret) {
  const lines = await readFile(join(dir, "memory", "waiting.jsonl"), "utf8").catch(() => "");
  const entries = lines
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const entry = entries.find(({ text }) => text.startsWith(input.slice(0, 20)));
  const at = input.indexOf(secret);
  return entry?.text.slice(at - 20, at + secret.length + 4);
}
