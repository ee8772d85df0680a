export { isNearDuplicate, saySame } from "./is-near-duplicate.js";
export { type Meaning, meaningOf } from "./meaning.js";
