/** Which memories are in the prompt where not all fit: by age, by words, by meaning, or as the app says. */
export { askedIn } from "./asked.js";
export { worthsOf } from "./choose.js";
export { compactVector, type EmbeddingsLike, embedTexts, type Vector } from "./embeddings.js";
export { indexOf } from "./memory-index.js";
export { rankByWords } from "./rank.js";
export { rankByMeaning, withinOne } from "./rank-by-meaning.js";
export { isByMeaning, type RelevantToOptions, relevantTo, type SelectionByMeaning } from "./relevant-to.js";
export {
  type NamedSelection,
  type SelectionRequest,
  type SelectMemories,
  type SelectOptions,
  selectMemories,
} from "./select-memories.js";
export type { SelectableMemory } from "./selectable.js";
export { nextChoice, type SessionChoice } from "./session-choice.js";
export { shortened } from "./words.js";
