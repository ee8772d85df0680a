import { median } from "../median.mjs";
import { runChild } from "./child.mjs";
import { Collected, spread } from "./collected.mjs";

/**
 * What a turn takes, against the same turn of a bare agent: turn by turn in one process, in processes that take turns with those
 * of the others. Each figure is the median of the processes' ratios of medians, with the least and the most of them. Then ten
 * turns in a row where whatever a memory asks its model for takes two seconds: their first tokens, and how many are held up.
 */
export async function measureTimes({ server, contenders, isQuick, keep }) {
  const repetitions = isQuick ? 1 : 5;
  const shape = { turns: isQuick ? 3 : 20, warmUp: isQuick ? 1 : 6, characters: 400, turnsOfSession: 10 };
  const ownDelayMs = isQuick ? 200 : 2000;
  const calm = [0, 20].map((delayMs) => ({ ...shape, rests: true, settings: delays(delayMs, delayMs) }));
  const busy = {
    ...shape,
    turns: isQuick ? 3 : 10,
    warmUp: 0,
    streams: true,
    settings: delays(20, ownDelayMs),
  };
  const ratios = new Collected();
  const held = {};
  for (let repetition = 0; repetition < repetitions; repetition++) {
    for (const contender of shuffled(contenders.filter(({ isUntimed }) => !isUntimed))) {
      await server.configure(delays(0, 0));
      // Ten turns held up take twenty seconds: once says as much.
      const isHeld = held[contender.id]?.turns >= busy.turns - 1;
      const [atOnce, slower, busyTurns] = await runPairs(server, contender, isHeld ? calm : [...calm, busy]);
      ratios.add(contender.id, "turn0", ratio(atOnce, "turn"));
      ratios.add(contender.id, "processor0", ratio(atOnce, "processor"));
      ratios.add(contender.id, "turn20", ratio(slower, "turn"));
      if (busyTurns === undefined) continue;
      ratios.add(contender.id, "firstToken", ratio(busyTurns, "firstToken"));
      const over = busyTurns.peer.filter(({ turn }) => turn > ownDelayMs / 2).length;
      held[contender.id] = { turns: Math.max(over, held[contender.id]?.turns ?? 0) };
    }
    const rows = ratios.rows(spread);
    for (const [id, row] of Object.entries(rows)) row.held = held[id].turns;
    keep({ repetitions: repetition + 1, turns: shape.turns, ownDelayMs, rows });
  }
}

const delays = (delayMs, ownDelayMs) => ({
  delayMs,
  ownDelayMs,
  embeddingDelayMs: delayMs,
  answerCharacters: 600,
});

const runPairs = (server, contender, phases) =>
  runChild(
    "turns-child.mjs",
    JSON.stringify({
      contender,
      phases,
      peerURL: server.addressOf(contender.id),
      bareURL: server.addressOf(`${contender.id}-beside`),
      settingsAddress: server.settingsAddress,
    }),
  );

const ratio = ({ peer, bare }, key) =>
  median(peer.map((one) => one[key])) / median(bare.map((one) => one[key]));

function shuffled(values) {
  return values
    .map((value) => ({ value, key: Math.random() }))
    .sort((left, right) => left.key - right.key)
    .map(({ value }) => value);
}
