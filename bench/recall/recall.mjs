import { answers, lineBytes, percent, printTable } from "./facts.mjs";
import { selectors } from "./selectors.mjs";

/** Prints a table for each scenario and gives what was missed. */
export function printRecall(scenarios) {
  return scenarios.flatMap(({ title, budgets, stores, toReach }) => {
    const shares = Object.entries(selectors).map(([name, select]) => ({
      name,
      found: budgets.map((budget) => recall(stores, budget, select)),
    }));
    const questions = stores.reduce((sum, store) => sum + store.questions.length, 0);
    const sizes = stores.map(({ memories }) => memories.length);
    printTable(
      `${title} (${Math.min(...sizes)} to ${Math.max(...sizes)} facts, ${questions} questions)`,
      ["in the prompt, %", ...budgets.map((budget) => `${budget} bytes`)],
      [
        ...shares.map(({ name, found }) => [name, ...found.map(percent)]),
        ...(toReach === undefined ? [] : [["to reach", ...toReach.map((share) => share.toFixed(1))]]),
      ],
    );
    const ours = shares.find(({ name }) => name === "relevant").found;
    return (toReach ?? []).flatMap((limit, at) =>
      100 * ours[at] >= limit ? [] : [`${title}: ${percent(ours[at])} at ${budgets[at]} bytes, not ${limit}`],
    );
  });
}

function recall(stores, budget, select) {
  let found = 0;
  let asked = 0;
  for (const store of stores) {
    for (const question of store.questions) {
      const chosen = select(store, question, budget);
      const bytes = chosen.reduce((sum, memory) => sum + lineBytes(memory), 0);
      if (bytes > budget) throw new Error(`${bytes} bytes are over the budget of ${budget}`);
      if (answers(chosen, question)) found++;
      asked++;
    }
  }
  return found / asked;
}
