import { MemoryError } from "../errors.js";
import { contentKey, type MemoryItem, maxContentLength, normalizeContent } from "../memory/memory-item.js";
import { readSource } from "../memory/memory-source.js";
import { holdsSecret } from "../memory/secrets/index.js";
import { codePointLength, oneLine } from "../text/index.js";

/** The text as it is stored, or a refusal: a person would rather shorten it than find it cut. */
export function checkedContent(content: unknown): string {
  if (typeof content !== "string" || contentKey(content) === "") {
    throw new MemoryError("ERR_MEMORY_EMPTY", "a memory must be a non-empty text");
  }
  const length = codePointLength(oneLine(content));
  if (length > maxContentLength) {
    throw new MemoryError(
      "ERR_MEMORY_TOO_LONG",
      `a memory must be at most ${maxContentLength} characters, got ${length}`,
    );
  }
  return normalizeContent(content);
}

export interface SecretOptions {
  /** Store it though it looks like a credential: memories are sent to the model's provider. Default: false. */
  readonly allowSecret?: boolean | undefined;
}

export async function checkedForSecrets(content: string, { allowSecret }: SecretOptions): Promise<string> {
  if (allowSecret !== true && (await holdsSecret(content))) {
    throw new MemoryError(
      "ERR_MEMORY_SECRET",
      "the memory looks like a credential and would be sent to the model; allowSecret stores it all the same",
    );
  }
  return content;
}

export function checkedScope(scope: unknown): string {
  if (typeof scope !== "string" || scope === "") {
    throw new MemoryError("ERR_MEMORY_INVALID", "sourceScope must be a non-empty string");
  }
  return scope;
}

/** An item of a whole list: its content is cut where it is too long. */
export function checkedItem(item: unknown, index: number): MemoryItem {
  const { id, content, createdAt, sourceScope, pinned, ...others } = (item ?? {}) as Record<string, unknown>;
  if (typeof id !== "string" || id === "") throw invalid(index, "id", "a non-empty string");
  if (typeof content !== "string" || contentKey(content) === "") {
    throw invalid(index, "content", "a non-empty string");
  }
  if (typeof createdAt !== "number" || !Number.isFinite(createdAt)) {
    throw invalid(index, "createdAt", "epoch milliseconds");
  }
  if (typeof sourceScope !== "string" || sourceScope === "") {
    throw invalid(index, "sourceScope", "a non-empty string");
  }
  if (pinned !== undefined && typeof pinned !== "boolean") throw invalid(index, "pinned", "true or false");
  const source = readSource(others.source);
  if (others.source !== undefined && source === undefined) {
    throw invalid(index, "source", "an object with sessionIds, messageIds and learnedAt");
  }
  return {
    id,
    content: normalizeContent(content),
    createdAt,
    sourceScope,
    ...(pinned === true && { pinned }),
    ...(source !== undefined && { source }),
  };
}

function invalid(index: number, part: string, expected: string): MemoryError {
  return new MemoryError("ERR_MEMORY_INVALID", `${part} of item ${index} must be ${expected}`);
}
