import { createHash } from "node:crypto";

// Two dashes stand between prefix and hash and nowhere in a plain name, so a plain id is never the hashed name of another.
const plain = /^[a-z0-9](?:-?[a-z0-9_])*$/;
const maxPlainLength = 60;
const maxPrefixLength = 24;
const hashLength = 40;
const reservedOnWindows = /^(?:con|prn|aux|nul|conin|conout|clock|com\d|lpt\d)$/;

/**
 * A file name of its own for any string: at most 66 characters of `a-z 0-9 _ -`, the same on every machine. A short plain
 * id is its own name; any other keeps a readable beginning and gets a hash, so that `A` and `a` don't share a file where
 * the file system ignores case. Endings are the caller's.
 */
export function safeName(id: string): string {
  if (id.length <= maxPlainLength && plain.test(id) && !reservedOnWindows.test(id)) return id;
  // UTF-16, because in UTF-8 all lone surrogates become one and the same character.
  const hash = createHash("sha256").update(id, "utf16le").digest("hex").slice(0, hashLength);
  return `${readablePrefix(id)}--${hash}`;
}

function readablePrefix(id: string): string {
  const words = id
    .slice(0, 4 * maxPrefixLength)
    .toLowerCase()
    .match(/[a-z0-9_]+/g);
  const prefix = (words ?? [])
    .join("-")
    .slice(0, maxPrefixLength)
    .replace(/^[_-]+|-+$/g, "");
  return prefix === "" ? "id" : prefix;
}
