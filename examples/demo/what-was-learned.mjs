/** Between the sessions: which facts were stored, and what of the conversation was not. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { heading, paint, say } from "./screen.mjs";

/** Whether the first of `leftOut`, the password, stands in any file of `memory/`. */
export async function showLearned({ workspace, masked, dir, leftOut, memoryOn, texts }) {
  const memories = await workspace.memories.list();
  if (!memoryOn) {
    say(`\n  ${texts.nothingLearned}`);
    return false;
  }
  heading(texts.learned(memories.length));
  for (const { content } of memories) say(`  + ${content}`);
  const { characters } = await workspace.waiting.count();
  if (characters > 0) say(paint("dim", `  ${texts.waiting(characters)}`));

  heading(texts.leftOut);
  for (const { what, text } of leftOut) {
    const kept = memories.some(({ content }) => content.includes(text));
    const verdict = kept ? paint("red", `✗ ${texts.isKept}`) : paint("green", `✓ ${texts.isLeftOut}`);
    say(`  ${verdict}  ${what}: ${text}`);
  }
  if (masked !== undefined) say(paint("dim", `  ${texts.masked(masked)}`));
  const [secret] = leftOut;
  if (await standsInFile(join(dir, "chats"), secret.text)) say(paint("dim", `  ${texts.inHistory}`));
  return standsInFile(join(dir, "memory"), secret.text);
}

async function standsInFile(folder, text) {
  const names = await readdir(folder);
  const contents = await Promise.all(
    names.map((name) => readFile(join(folder, name), "utf8").catch(() => "")),
  );
  return contents.some((content) => content.includes(text));
}
