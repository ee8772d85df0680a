import { randomUUID } from "node:crypto";
import type { LangGraphItems } from "./langgraph-items.js";
import { packed, unpacked } from "./langgraph-packed.js";
import type { Place } from "./langgraph-place.js";
import type { Lease } from "./memory-store.js";

/** A claim that nobody renews, since its process is dead, runs out after this. */
const claimMs = 15_000;

const renewalMs = 5_000;

/** How often, and how many milliseconds apart, a claimant looks whether the others have gone. */
const looks = { times: 8, atLeastMs: 15, atMostMs: 45 };

/**
 * The right to extract for a user; `undefined` while another holds it. A base store has no compare-and-set, so whoever
 * wants it puts a claim of its own, looks, and has it only where there is no other's: of two, the one that put its claim
 * later sees the other's, however long either of them stalled. Only one that stalls until its claim has run out, and then
 * goes on, makes a second holder; then a part is sent twice, and no fact is stored twice.
 */
export function takeLease(
  items: LangGraphItems,
  place: Place,
  clock: () => number,
): Promise<Lease | undefined> {
  return items.shared.inLine(`lease ${place.namespace.join("/")}`, async () => {
    if ((await otherClaims(items, place, clock)).length > 0) return undefined;
    const claim = new Claim(items, place, clock);
    try {
      await claim.write();
      if (await isAlone(claim, () => otherClaims(items, place, clock, claim.key))) {
        claim.keepAlive();
        return claim;
      }
    } catch (error) {
      await claim.release().catch(() => {
        // It runs out by itself.
      });
      throw error;
    }
    await claim.release();
    return undefined;
  });
}

/** Of several that claim at once all but the first by name give way, so that one of them has it. */
async function isAlone(claim: Claim, others: () => Promise<readonly string[]>): Promise<boolean> {
  for (let look = 1; ; look++) {
    const keys = await others();
    if (keys.length === 0) return true;
    if (look === looks.times || keys.some((key) => key < claim.key)) return false;
    const { atLeastMs, atMostMs } = looks;
    const ms = atLeastMs + Math.random() * (atMostMs - atLeastMs);
    await new Promise((resolve) => setTimeout(resolve, ms));
  }
}

/** The keys of those that have not run out. */
async function otherClaims(
  items: LangGraphItems,
  place: Place,
  clock: () => number,
  own?: string,
): Promise<string[]> {
  const others = (await items.search(place)).filter(({ key }) => key !== own);
  const isOver = ({ value }: { value: Record<string, unknown> }) => {
    const expiresAt = unpacked(value);
    return typeof expiresAt !== "number" || expiresAt <= clock();
  };
  for (const { key } of others.filter(isOver)) await items.delete(place, key);
  return others.filter((item) => !isOver(item)).map(({ key }) => key);
}

class Claim implements Lease {
  readonly key = `claim-${randomUUID()}`;
  readonly #items: LangGraphItems;
  readonly #place: Place;
  readonly #clock: () => number;
  #timer: NodeJS.Timeout | undefined;
  #isReleased = false;

  constructor(items: LangGraphItems, place: Place, clock: () => number) {
    this.#items = items;
    this.#place = place;
    this.#clock = clock;
  }

  write(): Promise<void> {
    return this.#items.put(this.#place, { key: this.key, value: packed(this.#clock() + claimMs) });
  }

  keepAlive(): void {
    this.#timer = setTimeout(() => void this.#renew(), renewalMs).unref();
  }

  async release(): Promise<void> {
    if (this.#isReleased) return;
    this.#isReleased = true;
    clearTimeout(this.#timer);
    await this.#inLine(() => this.#items.delete(this.#place, this.key));
  }

  async #renew(): Promise<void> {
    try {
      await this.#inLine(async () => {
        if (this.#isReleased) return;
        // Run out and taken away: another may hold it by now.
        if ((await this.#items.get(this.#place, this.key)) !== undefined) await this.write();
        else this.#isReleased = true;
      });
    } catch {
      // A store that is down for a moment: the next renewal is in time, or the claim runs out.
    }
    if (!this.#isReleased) this.keepAlive();
  }

  /** So that a renewal under way doesn't bring back what is released. */
  #inLine(work: () => Promise<void>): Promise<void> {
    return this.#items.shared.inLine(`claim ${this.key}`, work);
  }
}
