import { createHash } from "node:crypto";
import { contentKey } from "./memory-item.js";

/**
 * The home of the vectors of memories, by a hash of their content: none of a content that is not remembered any more.
 */
export interface MemoryVectors {
  /** Those that one kind of embeddings has made, by `contentHash`. */
  read(embeddingsName: string): Promise<ReadonlyMap<string, Int8Array>>;
  /** Adds vectors of memories; of what is no memory (any more) none is kept. */
  add(embeddingsName: string, vectors: ReadonlyMap<string, Int8Array>): Promise<void>;
}

/** Under which the vector of a content lies. */
export function contentHash(content: string): string {
  return createHash("sha256").update(contentKey(content)).digest("base64url").slice(0, 22);
}

export function vectorText(vector: Int8Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString("base64");
}

/** `undefined` for what is none. */
export function readVector(text: unknown): Int8Array | undefined {
  if (typeof text !== "string" || text === "") return undefined;
  return Int8Array.from(Buffer.from(text, "base64"), (byte) => (byte << 24) >> 24);
}
