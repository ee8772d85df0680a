/**
 * A process that keeps facts: `keeper-child <who> <dir> <address>`. Says which there are, then adds those that it is told to,
 * and says of each when it is kept.
 */
import { keepers } from "./keepers.mjs";

const [, , who, dir, baseURL] = process.argv;
const say = (message) => new Promise((resolve) => process.send(message, resolve));

const keeper = await keepers[who]({ dir, baseURL });
process.on("message", async ({ name, from, count }) => {
  for (let number = from; number < from + count; number++) {
    const fact = `The user keeps note ${name}-${number}`;
    try {
      await keeper.add(fact);
      await say({ added: fact });
    } catch {
      await say({ refused: fact });
    }
  }
  await say({ done: true });
  process.exit(0);
});
try {
  await say({ has: await keeper.all() });
} catch (error) {
  await say({ has: [], broken: String(error.message) });
}
