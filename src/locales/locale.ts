import type { ContextTexts } from "./context-texts.js";

export type LocaleName = "zh-CN" | "en";

/** Every text that a model or a person reads, in one language. */
export interface Locale {
  readonly name: LocaleName;
  readonly context: ContextTexts;
  readonly extraction: ExtractionTexts;
  readonly summary: SummaryTexts;
  readonly people: PeopleTexts;
}

export interface ExtractionTexts {
  readonly instruction: string;
  /** Further point of the instruction where new facts may take the place of memories. */
  readonly replacing: string;
  readonly knownHeading: string;
  readonly conversationHeading: string;
  readonly weekdays: readonly [string, string, string, string, string, string, string];
  /** Stands where the middle of a message was left out. */
  readonly cutMark: string;
  /** Stands where a credential stood. */
  readonly secretMark: string;
}

export interface SummaryTexts {
  readonly instruction: string;
  readonly formerHeading: string;
  readonly conversationHeading: string;
}

export interface PeopleTexts {
  readonly emptyList: string;
  readonly globalSource: string;
  readonly sentToProvider: string;
  readonly noCredentialsInFiles: string;
  readonly reviewList: string;
}
