/** All in bytes of UTF-8; headings, marks and notes count. */
export interface ContextBudgets {
  readonly memoryBudget: number;
  /** Of all rules, and again of all skills. */
  readonly assetBudget: number;
  /** Of one file; kept where the file is read. */
  readonly assetFileBudget: number;
  readonly planBudget: number;
  /** One budget for rules and skills together, in place of `assetBudget`. */
  readonly sharedAssetBudget?: number | undefined;
}
