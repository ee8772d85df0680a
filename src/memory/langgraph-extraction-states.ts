import { isDeepStrictEqual } from "node:util";
import { takeLease } from "./langgraph-lease.js";
import { type NowReader, nowParts } from "./langgraph-now.js";
import { packed } from "./langgraph-packed.js";
import type { Place } from "./langgraph-place.js";
import { generationOf, switchKeys, switchOf } from "./langgraph-switches.js";
import {
  type ExtractionState,
  type ExtractionStates,
  initialExtractionState,
  type Lease,
} from "./memory-store.js";

/** What the next attempt must know of the ones before it; the generation is an item of its own, which only a clear writes. */
export class LangGraphExtractionStates implements ExtractionStates {
  readonly #now: NowReader;
  readonly #leasePlace: Place;
  readonly #clock: () => number;

  constructor(now: NowReader, leasePlace: Place, clock: () => number) {
    this.#now = now;
    this.#leasePlace = leasePlace;
    this.#clock = clock;
  }

  async read(): Promise<ExtractionState> {
    const switches = await this.#now.read(nowParts.switches);
    const state = switchOf(switches, switchKeys.state);
    return {
      ...initialExtractionState,
      ...(typeof state === "object" && state),
      generation: generationOf(switches),
    };
  }

  change(change: (state: ExtractionState) => ExtractionState): Promise<void> {
    const { items, place } = this.#now;
    return items.shared.inLine(`state ${place.namespace.join("/")}`, async () => {
      const former = await this.read();
      const changed = change(former);
      if (isDeepStrictEqual(former, changed)) return;
      const { generation: _, ...state } = changed;
      await items.put(place, { key: switchKeys.state, value: packed(state), part: nowParts.switches });
    });
  }

  tryLease(): Promise<Lease | undefined> {
    return takeLease(this.#now.items, this.#leasePlace, this.#clock);
  }
}
