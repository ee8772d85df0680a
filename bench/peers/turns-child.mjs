/**
 * One contender in a process of its own: `turns-child <json>`, which names it, the server's addresses and phases of turns. Beside
 * a bare agent in turn where `bareURL` is given. Prints one line of JSON.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { conversation } from "./conversation.mjs";
import { facts } from "./facts.mjs";

const { contender, peerURL, bareURL, settingsAddress, phases } = JSON.parse(process.argv[2]);
const dir = await mkdtemp(join(tmpdir(), "peers-"));
const open = async ({ adapter, options }, baseURL, folder) => {
  const { create } = await import(`./adapters/${adapter}.mjs`);
  return create({ baseURL, dir: folder, facts, ...options });
};
const sides = { peer: await open(contender, peerURL, dir) };
if (bareURL !== undefined) sides.bare = await open({ adapter: "bare" }, bareURL, dir);
// Files that were written just now are read anew at each call.
await new Promise((resolve) => setTimeout(resolve, 600));

const results = [];
let phaseNumber = 0;
for (const phase of phases) results.push(await measuredPhase(phase, phaseNumber++));
console.log(JSON.stringify(results));
await sides.peer.close?.();
await rm(dir, { recursive: true, force: true });
process.exit(0);

/** Turns that begin with `warmUp` ones that aren't measured, on a server with these settings. */
async function measuredPhase({ settings, turns, warmUp, streams, rests, ...shape }, phaseNumber) {
  if (settings !== undefined)
    await fetch(settingsAddress, { method: "POST", body: JSON.stringify(settings) });
  const measured = { peer: [], bare: [] };
  let number = 0;
  for (const turn of conversation({ turns: warmUp + turns, ...shape })) {
    const names = Object.keys(sides);
    // Neither always comes second.
    if (number % 2 === 1) names.reverse();
    for (const name of names) {
      const session = `${phaseNumber}-${turn.session}`;
      const result = await timedTurn(sides[name], { ...turn, session, streams, rests });
      if (number >= warmUp) measured[name].push(result);
    }
    number++;
  }
  await sides.peer.idle?.();
  return measured;
}

async function timedTurn(side, { session, mark, text, streams, rests }) {
  const processor = process.cpuUsage();
  const start = performance.now();
  let firstToken;
  const onToken = streams
    ? () => {
        firstToken ??= performance.now() - start;
      }
    : undefined;
  const answer = await side.turn({ session, text, onToken });
  const turn = performance.now() - start;
  if (!answer.startsWith(`Answer to ${mark}`)) throw new Error(`the answer to ${mark} is another one`);
  // While a person reads and writes, what goes on in the background comes to its end.
  if (rests) await side.idle?.();
  const { user, system } = process.cpuUsage(processor);
  return { turn, firstToken, processor: (user + system) / 1000 };
}
