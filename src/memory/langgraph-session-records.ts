import { randomUUID } from "node:crypto";
import type { LangGraphItems } from "./langgraph-items.js";
import { type NowReader, nowParts } from "./langgraph-now.js";
import { packed, unpacked } from "./langgraph-packed.js";
import { hashOf, type Place } from "./langgraph-place.js";
import { switchKeys, switchOf } from "./langgraph-switches.js";
import type { SessionRecords } from "./memory-store.js";
import type { SessionRecord } from "./session-record.js";

const keptRecords = 64;

interface KeptRecord {
  /** The token that was there before the record was read. */
  readonly token: unknown;
  readonly record: SessionRecord | undefined;
}

/**
 * One item a session. Beside the switches lies a token that is another after each change of any record: while it is the
 * same, a record that this process has read needs no query of its own, since the switches are asked for anyway.
 */
export class LangGraphSessionRecords implements SessionRecords {
  readonly #items: LangGraphItems;
  readonly #place: Place;
  readonly #now: NowReader;
  readonly #kept = new Map<string, KeptRecord>();

  constructor(place: Place, now: NowReader) {
    this.#items = now.items;
    this.#place = place;
    this.#now = now;
  }

  async read(sessionId: string): Promise<SessionRecord | undefined> {
    const token = switchOf(await this.#now.read(nowParts.switches), switchKeys.sessionsToken);
    const kept = this.#kept.get(sessionId);
    if (kept !== undefined && kept.token === token) return kept.record;
    const record = await this.#get(sessionId);
    this.#keep(sessionId, { token, record });
    return record;
  }

  change(sessionId: string, change: (record: SessionRecord | undefined) => SessionRecord): Promise<void> {
    return this.#inLine(sessionId, async () => {
      const record = change(await this.#get(sessionId));
      await this.#items.put(this.#place, { key: keyOf(sessionId), value: packed(record) });
      await this.#newToken();
    });
  }

  async list(): Promise<readonly SessionRecord[]> {
    return (await this.#items.search(this.#place))
      .map(({ value }) => recordIn(value))
      .filter((record) => record !== undefined)
      .sort((left, right) => (left.sessionId < right.sessionId ? -1 : 1));
  }

  remove(sessionId: string): Promise<boolean> {
    return this.#inLine(sessionId, async () => {
      if ((await this.#items.get(this.#place, keyOf(sessionId))) === undefined) return false;
      await this.#items.delete(this.#place, keyOf(sessionId));
      await this.#newToken();
      return true;
    });
  }

  async #get(sessionId: string): Promise<SessionRecord | undefined> {
    const value = await this.#items.get(this.#place, keyOf(sessionId));
    return value && recordIn(value);
  }

  /** After the record: whoever has read the former record has the former token too. */
  #newToken(): Promise<void> {
    const value = packed(randomUUID());
    return this.#items.put(this.#now.place, {
      key: switchKeys.sessionsToken,
      value,
      part: nowParts.switches,
    });
  }

  #keep(sessionId: string, kept: KeptRecord): void {
    this.#kept.delete(sessionId);
    this.#kept.set(sessionId, kept);
    for (const oldest of [...this.#kept.keys()].slice(0, -keptRecords)) this.#kept.delete(oldest);
  }

  #inLine<Result>(sessionId: string, work: () => Promise<Result>): Promise<Result> {
    return this.#items.shared.inLine(`${this.#place.namespace.join("/")}/${keyOf(sessionId)}`, work);
  }
}

function keyOf(sessionId: string): string {
  return `s-${hashOf(sessionId)}`;
}

function recordIn(value: Record<string, unknown>): SessionRecord | undefined {
  const record = unpacked(value) as Partial<SessionRecord> | undefined;
  if (typeof record?.sessionId !== "string") return undefined;
  return { ...record, sessionId: record.sessionId, seen: Array.isArray(record.seen) ? record.seen : [] };
}
