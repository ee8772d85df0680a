import { optionError } from "../errors.js";

/** What is needed of LangChain's `Embeddings`, by its shape. */
export interface EmbeddingsLike {
  embedDocuments(texts: string[]): Promise<number[][]>;
  embedQuery(text: string): Promise<number[]>;
}

/** A vector of any embeddings in a byte a dimension: its length does not count, and the rest tells memories apart as well. */
export type Vector = Int8Array;

export function compactVector(numbers: unknown): Vector {
  const isVector = Array.isArray(numbers) && numbers.length > 0 && numbers.every(Number.isFinite);
  if (!isVector) throw new TypeError("the embeddings gave no vector");
  const most = (numbers as number[]).reduce((max, number) => Math.max(max, Math.abs(number)), 0) || 1;
  return Int8Array.from(numbers as number[], (number) => Math.round((number / most) * 127));
}

/** One vector for each text, in their order. */
export async function embedTexts(embeddings: EmbeddingsLike, texts: readonly string[]): Promise<Vector[]> {
  const vectors: unknown = await embeddings.embedDocuments([...texts]);
  if (!Array.isArray(vectors) || vectors.length !== texts.length) {
    throw new TypeError("the embeddings gave no vector for each text");
  }
  return vectors.map(compactVector);
}

/** Cosine, from -1 to 1; 0 where the two are not of one kind. */
export function likeness(one: Vector, other: Vector): number {
  if (one.length !== other.length) return 0;
  let product = 0;
  let oneSquare = 0;
  let otherSquare = 0;
  for (let at = 0; at < one.length; at++) {
    const left = one[at] as number;
    const right = other[at] as number;
    product += left * right;
    oneSquare += left * left;
    otherSquare += right * right;
  }
  return product / (Math.sqrt(oneSquare * otherSquare) || 1);
}

/** Tells vectors of two models apart: the class and the model that it names. */
export function nameOf(embeddings: EmbeddingsLike): string {
  const { model, modelName } = embeddings as { model?: unknown; modelName?: unknown };
  const named = [model, modelName].find((one) => typeof one === "string");
  return [embeddings.constructor?.name ?? "", ...(named === undefined ? [] : [named])].join(":");
}

export function checkEmbeddings(value: unknown): asserts value is EmbeddingsLike {
  const methods = (value ?? {}) as Partial<Record<keyof EmbeddingsLike, unknown>>;
  if (typeof methods.embedDocuments !== "function" || typeof methods.embedQuery !== "function") {
    throw optionError("ERR_OPTION_TYPE", "embeddings", "embeddings (embedDocuments, embedQuery)", value);
  }
}
