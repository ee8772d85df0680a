import { answers, percent, printTable } from "./facts.mjs";
import { withWorkspace } from "./workspace.mjs";

const budgets = [8192, 4096, 2048];
/** At 8 KB: a prompt may change by so much from turn to turn, and cost so many points. */
const leastSimilarity = 0.9;
const mostPoints = 2;

/**
 * What users say in real sessions goes through a workspace, turn by turn. Similarity: what two consecutive prompts of a
 * session have in common, of all that is in either. Recall: the questions are asked as the next words of the last session,
 * and each of a session of its own.
 */
export async function printSessions(scenarios) {
  const missed = [];
  for (const { title, stores, isLimited } of scenarios) {
    const rows = [];
    for (const budget of budgets) {
      const within = await measure(stores, budget, "relevant", true);
      const anew = await measure(stores, budget, "relevant", false);
      const cost = 100 * (anew.recall - within.recall);
      rows.push([
        budget,
        within.similarity.toFixed(3),
        anew.similarity.toFixed(3),
        percent(within.recall),
        percent(anew.recall),
        cost.toFixed(1),
      ]);
      if (!isLimited || budget !== budgets[0]) continue;
      if (within.similarity < leastSimilarity) missed.push(`${title}: similarity ${within.similarity}`);
      if (cost > mostPoints) missed.push(`${title}: a session costs ${cost.toFixed(1)} points`);
    }
    printTable(
      `Sessions: ${title}`,
      ["bytes", "similarity", "similarity, chosen anew", "recall, %", "recall, chosen anew, %", "points"],
      rows,
    );
  }
  return missed;
}

async function measure(stores, memoryBudget, selection, isSticky) {
  const similarities = [];
  let found = 0;
  let asked = 0;
  for (const { memories, sessions, questions } of stores) {
    await withWorkspace(memories, { memoryBudget, selection }, async (chosenFor) => {
      const say = (session, query) => chosenFor(query, isSticky ? session : undefined);
      for (const [at, turns] of sessions.entries()) {
        let former;
        for (const query of turns) {
          const chosen = new Set(await say(`s${at}`, query));
          if (former !== undefined) similarities.push(similarity(former, chosen));
          former = chosen;
        }
      }
      for (const [at, question] of questions.entries()) {
        // The last session once more, so that no question comes behind another.
        if (isSticky) for (const query of sessions.at(-1)) await say(`q${at}`, query);
        if (answers(await say(`q${at}`, question.query), question)) found++;
        asked++;
      }
    });
  }
  return {
    similarity: similarities.reduce((sum, one) => sum + one, 0) / similarities.length,
    recall: found / asked,
  };
}

function similarity(one, other) {
  const common = [...one].filter((memory) => other.has(memory)).length;
  return common / (one.size + other.size - common || 1);
}
