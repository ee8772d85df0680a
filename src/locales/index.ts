import { en } from "./en.js";
import type { Locale, LocaleName } from "./locale.js";
import { zhCN } from "./zh-cn.js";

export type { ExtractionTexts, Locale, LocaleName, SummaryTexts } from "./locale.js";

export { type ToolTexts, toolTexts } from "./tool-texts.js";

export const locales: Readonly<Record<LocaleName, Locale>> = { "zh-CN": zhCN, en };
