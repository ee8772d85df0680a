import { readText, removeWithTraces, writeAtomic } from "../files/index.js";
import type { MemoryItem } from "./memory-item.js";
import { contentHash } from "./memory-vectors.js";

/** Of each kind of embeddings, the one that wrote last at the end: its vectors in base64, by hash. */
export type VectorFile = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** An app may change its embeddings, and two may share a folder for a while. */
const maxKinds = 2;

/** What can't be read is computed anew. */
export function parseVectors(text: string): VectorFile {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? (Object.fromEntries(Object.entries(value).filter(isKind)) as VectorFile) : {};
  } catch {
    return {};
  }
}

/**
 * Keeps only vectors of these memories, and adds some. Where nothing was ever embedded there is no file, and none is made.
 * The caller holds the lock of the memories, so that nothing that is forgotten comes back.
 */
export async function updateVectors(
  path: string,
  items: readonly MemoryItem[],
  added?: { readonly name: string; readonly vectors: Readonly<Record<string, string>> },
): Promise<void> {
  const text = await readText(path);
  if (text === undefined && added === undefined) return;
  const former = parseVectors(text ?? "");
  const { [added?.name ?? ""]: same, ...others } = former;
  const all = added === undefined ? former : { ...others, [added.name]: { ...same, ...added.vectors } };
  const hashes = new Set(items.map(({ content }) => contentHash(content)));
  const kept = Object.entries(all)
    .slice(-maxKinds)
    .map(([name, vectors]) => [name, onlyOf(vectors, hashes)] as const)
    .filter(([, vectors]) => Object.keys(vectors).length > 0);
  if (kept.length === 0) return removeWithTraces(path);
  const next = `${JSON.stringify(Object.fromEntries(kept))}\n`;
  if (next !== text) await writeAtomic(path, next);
}

function onlyOf(vectors: Readonly<Record<string, string>>, hashes: ReadonlySet<string>) {
  return Object.fromEntries(Object.entries(vectors).filter(([hash]) => hashes.has(hash)));
}

function isKind(entry: [string, unknown]): boolean {
  return isRecord(entry[1]) && Object.values(entry[1]).every((vector) => typeof vector === "string");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
