/** Between the sessions: which facts were stored, and what of the conversation was not. */
import { heading, paint, say } from "./screen.mjs";

/** Whether the first of `leftOut`, the password, was kept. */
export async function showLearned({ workspace, masked, leftOut, memoryOn, texts }) {
  const memories = await workspace.memories.list();
  heading(texts.learned(memories.length));
  for (const { content } of memories) say(`  + ${content}`);
  if (!memoryOn) say(`  ${texts.nothingLearned}`);
  const { characters } = await workspace.waiting.count();
  if (characters > 0) say(paint("dim", `  ${texts.waiting(characters)}`));
  if (!memoryOn) return false;

  heading(texts.leftOut);
  const kept = leftOut.map(({ text }) => memories.some(({ content }) => content.includes(text)));
  for (const [at, { what, text }] of leftOut.entries()) {
    const verdict = kept[at] ? paint("red", `✗ ${texts.isKept}`) : paint("green", `✓ ${texts.isLeftOut}`);
    say(`  ${verdict}  ${what}: ${text}`);
    if (at === 0 && masked !== undefined) say(paint("dim", `      ${texts.masked(masked)}`));
  }
  return kept[0];
}
