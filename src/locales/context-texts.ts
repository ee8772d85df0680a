import type { LocaleName } from "./locale.js";

/** The texts of the injected context. Sizes are in bytes, as the budget that they speak of. */
export interface ContextTexts {
  readonly rulesHeading: string;
  readonly skillsHeading: string;
  readonly memoryHeading: string;
  readonly summaryHeading: string;
  readonly sessionHeading: string;
  readonly planHeading: string;
  /** Stands right behind the part of a file that was read. */
  readonly fileCutMark: (budget: number) => string;
  readonly planCutMark: (budget: number) => string;
  readonly filesOmitted: (count: number) => string;
  readonly memoriesOmitted: (count: number) => string;
}

export const contextTexts: Readonly<Record<LocaleName, ContextTexts>> = {
  "zh-CN": {
    rulesHeading: "# 用户规则（以下是用户设定的行为约束与偏好）",
    skillsHeading: "# 用户技能（以下是用户提供的领域知识与操作步骤）",
    memoryHeading: "# 跨会话记忆（以下是你与用户的历史交互中记住的事实）",
    summaryHeading: "# 对话摘要（以下是本次会话较早内容的摘要）",
    sessionHeading: "# 会话上下文",
    planHeading: "# 当前计划",
    fileCutMark: (budget) => `（本文件超过 ${size(budget)}，其后内容未注入）`,
    planCutMark: (budget) => `（计划超过 ${size(budget)}，其后内容未注入）`,
    filesOmitted: (count) => `（其余 ${count} 个文件因总量超限未注入）`,
    memoriesOmitted: (count) => `（其余 ${count} 条记忆因总量超限未注入）`,
  },
  en: {
    rulesHeading: "# User rules (constraints and preferences set by the user)",
    skillsHeading: "# User skills (domain knowledge and procedures provided by the user)",
    memoryHeading: "# Cross-session memory (facts remembered from your earlier conversations with the user)",
    summaryHeading: "# Conversation summary (of the earlier part of this session)",
    sessionHeading: "# Session context",
    planHeading: "# Current plan",
    fileCutMark: (budget) => `(this file is over ${size(budget)}; what follows was not injected)`,
    planCutMark: (budget) => `(the plan is over ${size(budget)}; what follows was not injected)`,
    filesOmitted: (count) =>
      count === 1
        ? "(1 more file was not injected: over the total limit)"
        : `(${count} more files were not injected: over the total limit)`,
    memoriesOmitted: (count) =>
      count === 1
        ? "(1 more memory was not injected: over the total limit)"
        : `(${count} more memories were not injected: over the total limit)`,
  },
};

/** In KB of 1024 bytes where that is exact within two decimals, otherwise in bytes. */
function size(bytes: number): string {
  return bytes >= 1024 && bytes % 256 === 0 ? `${bytes / 1024}KB` : `${bytes}B`;
}
