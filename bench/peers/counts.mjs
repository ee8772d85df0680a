import { runChild } from "./child.mjs";

const conversations = {
  long: { characters: 400, answerCharacters: 600, turnsOfSession: 10 },
  short: { characters: 50, answerCharacters: 50, turnsOfSession: 5 },
};

/** Requests and their bytes in 100 turns of 1000 characters, and in 100 of 100. They are the same each time. */
export async function measureCounts({ server, contenders, isQuick }) {
  const turns = isQuick ? 3 : 100;
  const rows = {};
  for (const contender of contenders) {
    rows[contender.id] = {};
    for (const name of isQuick ? ["long"] : Object.keys(conversations)) {
      const { answerCharacters, ...shape } = conversations[name];
      await server.configure({ delayMs: 0, ownDelayMs: 0, embeddingDelayMs: 0, answerCharacters });
      const before = await countsOfSetUp({ server, contender, shape });
      await runTurns({ server, contender, turns, ...shape });
      const counts = await server.takeCounts(contender.id);
      rows[contender.id][name] = { ...counts, embeddings: counts.embeddings - before.embeddings };
    }
  }
  return { turns, rows };
}

/** What it takes to tell a peer what is known already is not counted among the turns. */
async function countsOfSetUp({ server, contender, shape }) {
  if (!contender.knows) return { embeddings: 0 };
  await runTurns({ server, contender, turns: 0, ...shape });
  return server.takeCounts(contender.id);
}

const runTurns = ({ server, contender, ...shape }) => {
  const phases = [{ warmUp: 0, rests: true, ...shape }];
  return runChild(
    "turns-child.mjs",
    JSON.stringify({ contender, peerURL: server.addressOf(contender.id), phases }),
  );
};
