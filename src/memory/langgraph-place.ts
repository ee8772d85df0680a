import { createHash } from "node:crypto";

/**
 * Where items of one kind lie: `[...namespace, owner, ...labels]`. Searches of some stores go by the beginning of the
 * joined labels, so owners and sessions are hashes of one length and no label is the beginning of another beside it.
 */
export interface Place {
  readonly namespace: readonly string[];
  /** Keys that the value of every item of this place has, for the owner and each further label; the last is its own. */
  readonly marks: readonly string[];
}

export const appOwner = "app";

/** The label of a user: 41 characters whatever the id, so that any string is a user of its own. */
export function userOwner(parent: string, userId: string): string {
  return `u${hashOf(`${parent}\0${userId}`)}`;
}

export function placeOf(root: readonly string[], owner: string, ...labels: string[]): Place {
  const path = [owner, ...labels];
  const marks = path.map((_, index) => ["at", ...path.slice(0, index + 1)].join("/"));
  return { namespace: [...root, ...path], marks };
}

/** 40 hexadecimal characters. UTF-16, because in UTF-8 all lone surrogates become one and the same character. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text, "utf16le").digest("hex").slice(0, 40);
}

export function liesIn(namespace: readonly string[], place: Place): boolean {
  return place.namespace.every((label, index) => namespace[index] === label);
}
