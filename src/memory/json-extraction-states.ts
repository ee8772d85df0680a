import { readText, tryLock, withLock, writeAtomic } from "../files/index.js";
import {
  type ExtractionState,
  type ExtractionStates,
  initialExtractionState,
  type Lease,
} from "./memory-store.js";

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
      if (!sameState(former, state)) await writeAtomic(this.#path, `${JSON.stringify(state)}\n`);
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
  return {
    generation: count(fields.generation) ?? initialExtractionState.generation,
    contentFailures: count(fields.contentFailures) ?? initialExtractionState.contentFailures,
    halvings: count(fields.halvings) ?? initialExtractionState.halvings,
    ...(typeof fields.failingEntryId === "string" && { failingEntryId: fields.failingEntryId }),
    ...(partMessages !== undefined && partMessages > 0 && { partMessages }),
  };
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function sameState(left: ExtractionState, right: ExtractionState): boolean {
  return (
    left.generation === right.generation &&
    left.contentFailures === right.contentFailures &&
    left.failingEntryId === right.failingEntryId &&
    left.halvings === right.halvings &&
    left.partMessages === right.partMessages
  );
}
