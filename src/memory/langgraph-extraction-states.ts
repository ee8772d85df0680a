import { isDeepStrictEqual } from "node:util";
import { takeLease } from "./langgraph-lease.js";
import { type NowReader, nowParts } from "./langgraph-now.js";
import { packed, unpacked } from "./langgraph-packed.js";
import type { Place } from "./langgraph-place.js";
import { generationOf } from "./langgraph-switches.js";
import {
  type ExtractionState,
  type ExtractionStates,
  initialExtractionState,
  type Lease,
} from "./memory-store.js";

export interface ExtractionPlaces {
  readonly state: Place;
  readonly lease: Place;
}

/**
 * What the next attempt must know of the ones before it, in a place of its own that no turn reads. What a person deleted is
 * an item apart from what attempts write all the time, so that neither is lost to the other; the generation is one that
 * only a clear writes.
 */
export class LangGraphExtractionStates implements ExtractionStates {
  readonly #now: NowReader;
  readonly #places: ExtractionPlaces;
  readonly #clock: () => number;

  constructor(now: NowReader, places: ExtractionPlaces, clock: () => number) {
    this.#now = now;
    this.#places = places;
    this.#clock = clock;
  }

  async read(): Promise<ExtractionState> {
    const [switches, stored] = await Promise.all([
      this.#now.read(nowParts.switches),
      this.#now.items.search(this.#places.state),
    ]);
    const fields = (key: string): object => {
      const value = stored.find((item) => item.key === key)?.value;
      const part = value && unpacked(value);
      return typeof part === "object" && part !== null ? part : {};
    };
    return {
      ...initialExtractionState,
      ...fields(keys.attempts),
      ...fields(keys.forgotten),
      generation: generationOf(switches),
    };
  }

  change(change: (state: ExtractionState) => ExtractionState): Promise<void> {
    const { items } = this.#now;
    const { state: place } = this.#places;
    return items.shared.inLine(place.namespace.join("/"), async () => {
      const former = await this.read();
      const [before, after] = [parts(former), parts(change(former))];
      for (const key of Object.values(keys)) {
        if (isDeepStrictEqual(before[key], after[key])) continue;
        await items.put(place, { key, value: packed(after[key]) });
      }
    });
  }

  tryLease(): Promise<Lease | undefined> {
    return takeLease(this.#now.items, this.#places.lease, this.#clock);
  }
}

const keys = { attempts: "attempts", forgotten: "forgotten" } as const;

function parts({ generation: _, forgotten, ...attempts }: ExtractionState) {
  return { attempts, forgotten: forgotten === undefined ? {} : { forgotten } };
}
