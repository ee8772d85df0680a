/** What a fact takes in the prompt, in bytes. */
export function lineBytes({ content }) {
  return Buffer.byteLength(`- ${content}\n`);
}

/** A stored fact is at most 200 characters in one line. */
export function asContent(text) {
  return [...text.replaceAll(/\s+/gu, " ").trim()].slice(0, 200).join("").trim();
}

/** Facts in the order in which they were said, as memories. `place` is from 0 to 1. */
export function asMemories(facts) {
  return facts
    .toSorted((left, right) => left.place - right.place)
    .map(({ content, evidence }, at) => ({
      id: `fact-${at}`,
      content,
      createdAt: at,
      sourceScope: "global",
      evidence,
    }));
}

/** Whether one of the memories holds a piece of the evidence. */
export function answers(memories, { evidence }) {
  return memories.some((memory) => memory.evidence.some((piece) => evidence.includes(piece)));
}

export function percent(share) {
  return (100 * share).toFixed(1);
}

export function printTable(title, head, rows) {
  console.log(`\n### ${title}\n\n| ${head.join(" | ")} |\n|${"---|".repeat(head.length)}`);
  for (const row of rows) console.log(`| ${row.join(" | ")} |`);
}
