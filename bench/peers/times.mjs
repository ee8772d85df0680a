import { median } from "../median.mjs";
import { runChild } from "./child.mjs";
import { Collected, spread } from "./collected.mjs";

/**
 * What a turn takes, against the same turn of a bare agent: turn by turn in one process, in five processes that take turns with
 * those of the others. Each figure is the median of the processes' ratios of medians, with the least and the most of them.
 */
export async function measureTimes({ server, contenders, isQuick }) {
  const repetitions = isQuick ? 1 : 5;
  const turns = isQuick ? 3 : 20;
  const ratios = new Collected();
  for (let repetition = 0; repetition < repetitions; repetition++) {
    for (const delayMs of [0, 20]) {
      await server.configure({
        delayMs,
        ownDelayMs: delayMs,
        embeddingDelayMs: delayMs,
        answerCharacters: 600,
      });
      for (const contender of shuffled(timed(contenders))) {
        const measured = await runPairs({ server, contender, turns, warmUp: isQuick ? 1 : 6, rests: true });
        ratios.add(contender.id, `turn${delayMs}`, ratio(measured, "turn"));
        ratios.add(contender.id, `processor${delayMs}`, ratio(measured, "processor"));
      }
    }
  }
  return { repetitions, turns, rows: ratios.rows(spread) };
}

/** The first tokens of ten turns in a row, and their ends, where whatever a memory asks its model for takes two seconds. */
export async function measureWaits({ server, contenders, isQuick }) {
  const repetitions = isQuick ? 1 : 5;
  const ownDelayMs = isQuick ? 200 : 2000;
  const turns = isQuick ? 3 : 10;
  await server.configure({ delayMs: 20, ownDelayMs, embeddingDelayMs: 20, answerCharacters: 600 });
  const ratios = new Collected();
  const held = {};
  for (let repetition = 0; repetition < repetitions; repetition++) {
    for (const contender of shuffled(timed(contenders))) {
      // Ten turns held up take twenty seconds: once says as much.
      if (repetition > 0 && (held[contender.id]?.turns ?? 0) >= turns - 1) continue;
      await server.takeCounts(contender.id);
      const measured = await runPairs({ server, contender, turns, warmUp: 1, streams: true, rests: false });
      const { ownCalls } = await server.takeCounts(contender.id);
      const over = (key) => measured.peer.filter((one) => one[key] > ownDelayMs / 2).length;
      const most = (key) => Math.max(over(key), held[contender.id]?.[`${key}s`] ?? 0);
      held[contender.id] = { turns: most("turn"), firstTokens: most("firstToken"), ownCalls };
      ratios.add(contender.id, "firstToken", ratio(measured, "firstToken"));
    }
  }
  const rows = ratios.rows(spread);
  for (const [id, row] of Object.entries(rows)) row.held = held[id];
  return { repetitions, turns, ownDelayMs, rows };
}

/** A smaller budget changes what is sent, and not what is done. */
const timed = (contenders) => contenders.filter(({ isUntimed }) => !isUntimed);

const runPairs = async ({ server, contender, ...shape }) => {
  const measured = await runChild(
    "turns-child.mjs",
    JSON.stringify({
      contender,
      peerURL: server.addressOf(contender.id),
      bareURL: server.addressOf(`${contender.id}-beside`),
      characters: 400,
      turnsOfSession: 10,
      ...shape,
    }),
  );
  return measured;
};

const ratio = ({ peer, bare }, key) =>
  median(peer.map((one) => one[key])) / median(bare.map((one) => one[key]));

function shuffled(values) {
  return values
    .map((value) => ({ value, key: Math.random() }))
    .sort((left, right) => left.key - right.key)
    .map(({ value }) => value);
}
