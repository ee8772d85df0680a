import { readdir } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { inTemporaryFolder } from "../world.mjs";
import { startKeeper } from "./keeper-process.mjs";
import { keepersAmong } from "./updates.mjs";

/** A process that adds facts without end is killed, again and again: what was said to be kept, and what lies about. */
export async function measureKills({ server, contenders, isQuick }) {
  const kills = isQuick ? 2 : 30;
  const rows = {};
  for (const who of keepersAmong(contenders)) {
    const address = server.addressOf(`${who}-keeper`);
    const tidy = await inTemporaryFolder(async (dir) => {
      await addOne(who, dir, address);
      return (await files(dir)).length;
    });
    rows[who] = await inTemporaryFolder(async (dir) => {
      const row = { kills, acknowledged: 0, lost: 0, broken: 0 };
      let acknowledged = [];
      for (let kill = 0; kill <= kills; kill++) {
        const keeper = await startKeeper(who, dir, address);
        const there = new Set(keeper.has);
        if (keeper.broken !== undefined) row.broken++;
        row.lost += acknowledged.filter((fact) => !there.has(fact)).length;
        row.acknowledged += acknowledged.length;
        if (kill < kills) {
          keeper.add({ name: `round-${kill}`, from: 0, count: 1_000_000 });
          // At any moment of a write: from the first one on, since the modules behind it are loaded for that.
          await keeper.firstAdded;
          await pause(Math.random() * 40);
        }
        keeper.kill();
        await keeper.ended();
        // Older ones that were lost are counted already.
        acknowledged = [...keeper.added];
      }
      // A start and a write that are not killed may tidy up.
      await addOne(who, dir, address);
      return { ...row, leftovers: Math.max(0, (await files(dir)).length - tidy) };
    });
  }
  return { rows };
}

async function addOne(who, dir, address) {
  const keeper = await startKeeper(who, dir, address);
  keeper.add({ name: "last", from: 0, count: 1 });
  await keeper.ended();
}

const files = async (dir) =>
  (await readdir(dir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
