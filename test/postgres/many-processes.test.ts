import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { LangGraphMemoryStore } from "../../src/memory/langgraph-memory-store.js";
import { contentKey } from "../../src/memory/memory-item.js";
import { bundle } from "../support/bundle.js";
import { AppProcess } from "./app-processes.js";
import type { ChildTurn } from "./child-messages.js";
import { DistillingServer, type SentPart } from "./distilling-server.js";
import { openPostgres, type PostgresHome } from "./postgres-home.js";

const isFull = process.env.MEMORY_TEST_LONG === "1";
const processCount = 8;
const userCount = isFull ? 200 : 12;
const turnsOfEach = 10;
/** Of each session so many turns; then the user begins another. */
const turnsOfSession = 4;

let postgres: PostgresHome;
let model: DistillingServer;
let apps: AppProcess[] = [];

beforeAll(async () => {
  const [home, child, dir] = await Promise.all([
    openPostgres(),
    bundle("test/postgres/child.ts"),
    mkdtemp(join(tmpdir(), "memory-test-")),
  ]);
  postgres = home;
  model = new DistillingServer();
  const setup = { url: home.url, schema: home.schema, modelUrl: await model.start(), dir };
  const start = () => AppProcess.start(child.file, setup);
  apps = await Promise.all(Array.from({ length: processCount }, start));
  return async () => {
    await Promise.all(apps.map((app) => app.end()));
    await model.stop();
    await home.stop();
    await child.remove();
    await rm(dir, { recursive: true, force: true });
  };
}, 120_000);

describe(`${processCount} processes, ${userCount} users and ${userCount * turnsOfEach} turns on one PostgreSQL`, () => {
  it("send everything exactly once where nothing is killed", { timeout: 600_000 }, async () => {
    const world = await run({ kills: 0 });
    expect(world.resent).toEqual([]);
    await expectNothingLost(world);
  });

  it("lose nothing and store nothing twice where two are killed on the way", {
    timeout: 600_000,
  }, async () => {
    const world = await run({ kills: 2 });
    await expectNothingLost(world);
    const excused = world.resent.filter(
      ({ first, again }) => world.killed.has(first.process) || first.ended > again.began,
    );
    expect(excused).toEqual(world.resent);
    // At most one part of each user that a killed process was at: four at once, by maxConcurrentExtractions.
    const partsAgain = new Set(world.resent.map(({ first }) => first));
    const races = [...partsAgain].filter((part) => !world.killed.has(part.process)).length;
    expect(partsAgain.size - races).toBeLessThanOrEqual(2 * 4);
    console.info(
      `2 processes killed: ${world.turnsBroken} turns broke off and were tried again, ${partsAgain.size} of ${world.parts.length} parts were sent again, ${races} of them in a lease race`,
    );
  });
});

interface Resent {
  readonly mark: string;
  readonly first: SentPart;
  readonly again: SentPart;
}

interface World {
  readonly store: LangGraphMemoryStore;
  readonly users: readonly string[];
  readonly parts: readonly SentPart[];
  readonly killed: ReadonlySet<number>;
  readonly resent: readonly Resent[];
  readonly turnsBroken: number;
}

async function run({ kills }: { kills: number }): Promise<World> {
  const users = Array.from({ length: userCount }, (_, index) => strangeId(index));
  const sentBefore = model.parts.length;
  const killed = new Set<number>();
  let turnsTaken = 0;
  let turnsBroken = 0;

  const alive = () => apps.filter(({ isAlive }) => isAlive);
  const anyProcess = () => alive()[Math.floor(Math.random() * alive().length)] as AppProcess;

  async function live(index: number): Promise<void> {
    const user = users[index] as string;
    for (let turn = 0; turn < turnsOfEach; turn++) {
      const said = turnOf(user, index, turn);
      let context = await anyProcess().take(said);
      while (context === undefined) {
        // The process died in it. The user sends the same message again, which may have been recorded or not.
        turnsBroken++;
        context = await anyProcess().take(said);
      }
      const others = [...context.matchAll(/user (\d+) said/g)].filter(([, owner]) => owner !== String(index));
      if (others.length > 0) throw new Error(`user ${index} was shown what another said`);
      turnsTaken++;
      if (killed.size < kills && turnsTaken > ((killed.size + 1) * userCount * turnsOfEach) / 3) {
        const victim = anyProcess();
        killed.add(victim.child.pid as number);
        await victim.kill();
      }
    }
  }

  const queue = users.map((_, index) => index);
  const lanes = Array.from({ length: 16 }, async () => {
    for (let index = queue.shift(); index !== undefined; index = queue.shift()) await live(index);
  });
  await Promise.all(lanes);
  await Promise.all(alive().map((app) => app.idle()));

  const firstOf = new Map<string, SentPart>();
  const resent: Resent[] = [];
  const parts = model.parts.slice(sentBefore);
  for (const part of parts) {
    expect(new Set(part.marks.map((mark) => mark.split("-")[0])).size).toBe(1);
    for (const mark of part.marks) {
      const first = firstOf.get(mark);
      if (first === undefined) firstOf.set(mark, part);
      else resent.push({ mark, first, again: part });
    }
  }
  const store = new LangGraphMemoryStore(postgres.base);
  return { store, users, parts, killed, resent, turnsBroken };
}

async function expectNothingLost({ store, users, parts, killed }: World): Promise<void> {
  const senders = new Map<string, SentPart>();
  for (const part of parts) for (const mark of part.marks) senders.set(mark, part);
  let facts = 0;
  for (const [index, user] of users.entries()) {
    const ofUser = store.forUser(user);
    const waiting = (await ofUser.waiting.read()).map(({ text }) => text.slice(1, text.indexOf(">")));
    const memories = await ofUser.memories.read();
    for (let turn = 0; turn < turnsOfEach; turn++) {
      for (const role of ["user", "assistant"]) {
        const mark = `${index}-${turn}-${role}`;
        const sender = senders.get(mark);
        const times = waiting.filter((one) => one === mark).length;
        // What a killed process had sent waits on: it will be sent again.
        const isCutShort = sender !== undefined && killed.has(sender.process) && times === 1;
        if (!isCutShort)
          expect({ mark, places: Number(sender !== undefined) + times }).toEqual({ mark, places: 1 });
      }
      const fact = contentKey(`user ${index} said number ${turn}`);
      const times = memories.filter(({ content }) => contentKey(content) === fact).length;
      const sender = senders.get(`${index}-${turn}-user`);
      expect(times).toBeLessThanOrEqual(1);
      if (sender === undefined || !killed.has(sender.process)) {
        expect({ fact, times }).toEqual({ fact, times: Number(sender !== undefined) });
      }
    }
    expect(memories.every(({ content }) => content.startsWith(`user ${index} said`))).toBe(true);
    facts += memories.length;
  }
  expect(facts).toBeGreaterThan(userCount * turnsOfEach * 0.5);
}

/** A turn of about 100 code points, so that every third or so lets an extraction start. */
function turnOf(user: string, index: number, turn: number): ChildTurn {
  const message = (role: "user" | "assistant") => ({
    role,
    id: `${index}-${turn}-${role}`,
    content: `<${index}-${turn}-${role}> ${"words ".repeat(6)}`,
  });
  const session = `${user.slice(0, 10)}/${Math.floor(turn / turnsOfSession)}`;
  return { user, session, messages: [message("user"), message("assistant")] };
}

/** Ids that are easily taken for one another, and are of this run alone. */
function strangeId(index: number): string {
  const own = randomUUID().slice(0, 4);
  const kinds = [
    `../x${own}`,
    `User-${own}`,
    `user-${own}`,
    `🦊${own}`,
    `${"long".repeat(100)}${own}`,
    `a.b:c%_${own}`,
  ];
  return `${kinds[index % kinds.length]}${index}`;
}
