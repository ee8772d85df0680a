import type { AssembledContext, SegmentKind } from "../context/index.js";
import type { AssembleOptions, MemoryWorkspace } from "../workspace/index.js";

/** What the next model call gets of one kind, against its budget, and what it doesn't get and why. */
export interface BudgetUse {
  readonly kind: SegmentKind;
  /** UTF-8 bytes of the segment. */
  readonly bytes: number;
  /** UTF-8 bytes; absent where the app decides. */
  readonly budget?: number | undefined;
  /** File names or memory ids that go in. */
  readonly included: readonly string[];
  readonly leftOut: readonly LeftOut[];
}

export interface LeftOut {
  /** File name or memory id. */
  readonly id: string;
  /** `"off"`: the file, its class or memory is switched off. `"empty"`: a file without text. */
  readonly reason: "budget" | "off" | "empty";
}

export interface ContextView {
  readonly context: AssembledContext;
  readonly uses: readonly BudgetUse[];
  /** Bytes that rules and skills share, where they do. */
  readonly sharedAssetBudget?: number | undefined;
}

/** Looks at the next model call as a person would: every kind, also those that inject nothing. */
export async function viewContext(
  workspace: MemoryWorkspace,
  asked: Pick<AssembleOptions, "sessionId" | "query"> = {},
): Promise<ContextView> {
  const { options, rules, skills } = workspace.parts;
  const [context, settings, memories, ruleFiles, skillFiles] = await Promise.all([
    workspace.assembleContext(asked),
    workspace.settings.get(),
    workspace.memories.list().catch(() => []),
    rules.load(),
    skills.load(),
  ]);
  const useOf = (kind: SegmentKind, budget: number | undefined, all: readonly Candidate[]): BudgetUse => {
    const { bytes = 0, sources: included = [] } = context.segments.find((one) => one.kind === kind) ?? {};
    const isIncluded = new Set(included);
    const leftOut = all.filter(({ id }) => !isIncluded.has(id)).map(reasonFor);
    return { kind, bytes, ...(budget !== undefined && { budget }), included, leftOut };
  };
  const candidates = (
    files: readonly { readonly filename: string; readonly body: string }[],
    isClassOn: boolean,
    disabled: readonly string[],
  ) =>
    files.map(({ filename, body }) => ({
      id: filename,
      isOff: !isClassOn || disabled.includes(filename),
      isEmpty: body === "",
    }));
  const { sharedAssetBudget } = options;
  const assetBudget = sharedAssetBudget ?? options.assetBudget;
  return {
    context,
    uses: [
      useOf("rules", assetBudget, candidates(ruleFiles, settings.aiRulesEnabled, settings.aiRulesDisabled)),
      useOf(
        "skills",
        assetBudget,
        candidates(skillFiles, settings.aiSkillsEnabled, settings.aiSkillsDisabled),
      ),
      useOf(
        "memory",
        options.memoryBudget,
        memories.map(({ id }) => ({ id, isOff: !settings.aiMemoryEnabled, isEmpty: false })),
      ),
      ...(["summary", "session"] as const)
        .filter((kind) => context.segments.some((one) => one.kind === kind))
        .map((kind) => useOf(kind, undefined, [])),
    ],
    ...(sharedAssetBudget !== undefined && { sharedAssetBudget }),
  };
}

interface Candidate {
  readonly id: string;
  readonly isOff: boolean;
  readonly isEmpty: boolean;
}

function reasonFor({ id, isOff, isEmpty }: Candidate): LeftOut {
  return { id, reason: isOff ? "off" : isEmpty ? "empty" : "budget" };
}
