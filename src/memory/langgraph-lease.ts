import { randomUUID } from "node:crypto";
import type { LangGraphItems } from "./langgraph-items.js";
import { packed, unpacked } from "./langgraph-packed.js";
import type { Place } from "./langgraph-place.js";
import type { Lease } from "./memory-store.js";

/** A lease that nobody renews, since its process is dead, runs out after this. */
export const leaseMs = 15_000;

const renewalMs = 5_000;

/**
 * How long whoever wrote a lease waits before looking whether another wrote over it meanwhile: at least so long, and
 * longer where looking and writing took long, since the other's will too.
 */
const settleMs = { min: 100, max: 2_000, timesOwn: 4 };

const key = "lease";

interface StoredLease {
  readonly holder: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/**
 * The right to extract for a user; `undefined` while another holds it. A base store has no compare-and-set: of two that
 * write at once the later one holds it, since both look again. Only a process that stalls between its look and its write
 * for longer than that can make two holders; then a part is sent twice, and no fact is stored twice.
 */
export function takeLease(
  items: LangGraphItems,
  place: Place,
  clock: () => number,
): Promise<Lease | undefined> {
  return items.shared.inLine(`lease ${place.namespace.join("/")}`, async () => {
    const began = performance.now();
    const held = await readLease(items, place);
    if (held !== undefined && held.expiresAt > clock()) return undefined;
    const lease = new HeldLease(items, place, clock);
    await lease.write();
    await settle(performance.now() - began);
    if (!(await lease.isOurs())) return undefined;
    lease.keepAlive();
    return lease;
  });
}

function settle(tookMs: number): Promise<void> {
  const { min, max, timesOwn } = settleMs;
  return new Promise((resolve) => setTimeout(resolve, Math.min(max, Math.max(min, tookMs * timesOwn))));
}

class HeldLease implements Lease {
  readonly #items: LangGraphItems;
  readonly #place: Place;
  readonly #clock: () => number;
  readonly #holder = randomUUID();
  #timer: NodeJS.Timeout | undefined;
  #isReleased = false;

  constructor(items: LangGraphItems, place: Place, clock: () => number) {
    this.#items = items;
    this.#place = place;
    this.#clock = clock;
  }

  write(): Promise<void> {
    const stored: StoredLease = { holder: this.#holder, expiresAt: this.#clock() + leaseMs };
    return this.#items.put(this.#place, { key, value: packed(stored) });
  }

  async isOurs(): Promise<boolean> {
    return (await readLease(this.#items, this.#place))?.holder === this.#holder;
  }

  keepAlive(): void {
    this.#timer = setTimeout(() => void this.#renew(), renewalMs).unref();
  }

  async release(): Promise<void> {
    if (this.#isReleased) return;
    this.#isReleased = true;
    clearTimeout(this.#timer);
    await this.#inLine(async () => {
      if (await this.isOurs()) await this.#items.delete(this.#place, key);
    });
  }

  async #renew(): Promise<void> {
    try {
      await this.#inLine(async () => {
        if (!this.#isReleased && (await this.isOurs())) await this.write();
      });
    } catch {
      // A store that is down for a moment: the next renewal is in time, or the lease runs out.
    }
    if (!this.#isReleased) this.keepAlive();
  }

  /** So that a renewal under way doesn't bring back what is released. */
  #inLine(work: () => Promise<void>): Promise<void> {
    return this.#items.shared.inLine(`holding ${this.#holder}`, work);
  }
}

async function readLease(items: LangGraphItems, place: Place): Promise<StoredLease | undefined> {
  const value = await items.get(place, key);
  const lease = value && (unpacked(value) as Partial<StoredLease> | undefined);
  return typeof lease?.holder === "string" && typeof lease.expiresAt === "number"
    ? { holder: lease.holder, expiresAt: lease.expiresAt }
    : undefined;
}
