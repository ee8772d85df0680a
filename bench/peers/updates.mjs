import { inTemporaryFolder } from "../world.mjs";
import { startKeeper } from "./keeper-process.mjs";
import { keepers } from "./keepers.mjs";
import { hasMem0 } from "./mem0.mjs";

/** Two processes of one user add 200 facts each: how many of those that were said to be kept are there afterwards. */
export async function measureUpdates({ server, contenders, isQuick }) {
  const count = isQuick ? 3 : 200;
  const rows = {};
  for (const who of keepersAmong(contenders)) {
    rows[who] = await inTemporaryFolder(async (dir) => {
      const address = server.addressOf(`${who}-keeper`);
      // What a first start makes is there already.
      const first = await startKeeper(who, dir, address);
      first.add({ name: "first", from: 0, count: 1 });
      await first.ended();
      const both = await Promise.all([1, 2].map(() => startKeeper(who, dir, address)));
      for (const [at, keeper] of both.entries()) keeper.add({ name: `writer-${at}`, from: 0, count });
      await Promise.all(both.map((keeper) => keeper.ended()));
      const reader = await startKeeper(who, dir, address);
      reader.kill();
      const there = new Set(reader.has);
      const added = both.flatMap((keeper) => keeper.added);
      return {
        asked: 2 * count,
        refused: both.flatMap(({ refused }) => refused).length,
        lost: added.filter((fact) => !there.has(fact)).length,
        isBroken: reader.broken !== undefined,
      };
    });
  }
  return { rows };
}

export const keepersAmong = (contenders) =>
  Object.keys(keepers)
    .filter((who) => contenders.some(({ id }) => id === who))
    .filter((who) => who !== "mem0" || hasMem0());
