import { isDeepStrictEqual } from "node:util";
import { readText, tryLock, withLock, writeAtomic } from "../files/index.js";
import { readForgotten } from "./forgotten.js";
import {
  type ExtractionState,
  type ExtractionStates,
  initialExtractionState,
  type Lease,
} from "./memory-store.js";
import { readUsage } from "./usage.js";

/** `extraction.json`, beside the queue: what the next attempt must know of the ones before it. */
export class JsonExtractionStates implements ExtractionStates {
  readonly #path: string;
  readonly #leasePath: string;

  constructor(path: string) {
    this.#path = path;
    this.#leasePath = `${path}.lease`;
  }

  async read(): Promise<ExtractionState> {
    return parseState(await readText(this.#path));
  }

  change(change: (state: ExtractionState) => ExtractionState): Promise<void> {
    return withLock(this.#path, async () => {
      const former = await this.read();
      const state = change(former);
      if (!isDeepStrictEqual(former, state)) await writeAtomic(this.#path, `${JSON.stringify(state)}\n`);
    });
  }

  nextGeneration(): Promise<void> {
    return this.change((state) => ({ ...state, generation: state.generation + 1 }));
  }

  tryLease(): Promise<Lease | undefined> {
    return tryLock(this.#leasePath);
  }
}

/** A file that can't be read as a state costs at most a few attempts of its own; nothing depends on it for good. */
function parseState(text: string | undefined): ExtractionState {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text ?? "{}");
  } catch {
    parsed = {};
  }
  const fields = (typeof parsed === "object" && parsed !== null ? parsed : {}) as Record<string, unknown>;
  const partMessages = count(fields.partMessages);
  const usage = readUsage(fields.usage);
  const forgotten = readForgotten(fields.forgotten);
  return {
    generation: count(fields.generation) ?? initialExtractionState.generation,
    contentFailures: count(fields.contentFailures) ?? initialExtractionState.contentFailures,
    halvings: count(fields.halvings) ?? initialExtractionState.halvings,
    ...(typeof fields.failingEntryId === "string" && { failingEntryId: fields.failingEntryId }),
    ...(partMessages !== undefined && partMessages > 0 && { partMessages }),
    ...(usage.length > 0 && { usage }),
    ...(forgotten !== undefined && { forgotten }),
  };
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
