import { answers, percent, printTable } from "./facts.mjs";
import { withWorkspace } from "./workspace.mjs";

const limits = [100, 200, 325];

/** Of the facts asked for: how many a store of so many still holds, and how many are in a prompt of 8 KB. */
export async function printLimits(stores) {
  const rows = [];
  for (const limit of limits) {
    const counts = { stored: 0, newest: 0, relevant: 0 };
    let asked = 0;
    for (const { memories, questions } of stores) {
      const byId = new Map(memories.map((memory) => [memory.id, memory]));
      for (const selection of ["newest", "relevant"]) {
        await withWorkspace(memories, { limit, selection }, async (chosenFor, workspace) => {
          const stored = (await workspace.memories.list()).map(({ id }) => byId.get(id));
          for (const question of questions) {
            if (answers(await chosenFor(question.query), question)) counts[selection]++;
            if (selection === "newest" && answers(stored, question)) counts.stored++;
            if (selection === "newest") asked++;
          }
        });
      }
    }
    rows.push([limit, ...Object.values(counts).map((count) => percent(count / asked))]);
  }
  printTable(
    "Limits: of all questions, those whose fact is there, %",
    ["limit", "still stored", 'in a prompt of 8 KB, `"newest"`', 'in a prompt of 8 KB, `"relevant"`'],
    rows,
  );
  return [];
}
