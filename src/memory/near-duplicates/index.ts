export { inKnownWords } from "./in-known-words.js";
export { isNearDuplicate } from "./is-near-duplicate.js";
