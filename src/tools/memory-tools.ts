import { type StructuredToolInterface, tool } from "@langchain/core/tools";
import { MemoryError } from "../errors.js";
import { type ToolTexts, toolTexts } from "../locales/index.js";
import { globalScope, maxContentLength, normalizeContent } from "../memory/memory-item.js";
import { holdsSecret } from "../memory/secrets/index.js";
import {
  aWorkspace,
  checkedOptions,
  functionOf,
  isTemporaryRun,
  type Memories,
  type MemoryRuntime,
  type MemoryWorkspace,
  type OptionCheck,
  type RunConfig,
  runtimeOf,
  sessionOf,
  userOf,
} from "../workspace/index.js";

export interface MemoryToolsOptions {
  /**
   * Whose memories a call reads and changes: a non-empty string, or the call is refused. The same function that the
   * middleware has.
   *
   * @default none: one person's
   */
  readonly userId?: ((runtime: MemoryRuntime) => unknown) | undefined;
}

const toolChecks: { readonly [Option in keyof MemoryToolsOptions]-?: OptionCheck } = {
  userId: functionOf("a function of the runtime that gives the user's id"),
};

/**
 * Tools by which an agent remembers and forgets when its user asks for it: `remember`, `forget`, `list_memories`. They
 * keep to the limits, the filter of credentials and the user of all else, and their text says what happened or why not.
 *
 * @throws TypeError or RangeError (`code` `ERR_OPTION_…`) that names the option, the value and the range.
 * @example
 * const agent = createAgent({
 *   model,
 *   tools: [...createMemoryTools(workspace)],
 *   middleware: [crossSessionMemoryMiddleware(workspace)],
 * });
 */
export function createMemoryTools(
  workspace: MemoryWorkspace,
  options: MemoryToolsOptions = {},
): StructuredToolInterface[] {
  aWorkspace("workspace", workspace);
  checkedOptions(options, toolChecks);
  const texts = toolTexts[workspace.parts.options.locale];

  /** Every call ends in a text: an error would end the agent's run. */
  const answering = async (
    runtime: RunConfig,
    answer: (memories: Memories) => Promise<string>,
  ): Promise<string> => {
    try {
      const user = userOf(options.userId, runtimeOf(runtime), workspace);
      if (user.isUnknown) return texts.noUser;
      const { aiMemoryEnabled } = await user.workspace.settings.get();
      if (!aiMemoryEnabled || isTemporaryRun(runtime)) return texts.switchedOff;
      return await answer(user.workspace.memories);
    } catch {
      return texts.failed;
    }
  };

  return [
    tool(
      ({ content }: { content: string }, runtime: RunConfig) =>
        answering(runtime, (memories) =>
          remember(memories, content, sessionOf(runtime) ?? globalScope, texts),
        ),
      {
        name: "remember",
        description: texts.remember,
        schema: {
          type: "object",
          properties: { content: { type: "string", description: texts.rememberContent } },
          required: ["content"],
        },
      },
    ),
    tool(
      ({ id }: { id: string }, runtime: RunConfig) =>
        answering(runtime, async (memories) =>
          (await memories.remove(id)) ? texts.forgotten : texts.noSuchMemory,
        ),
      {
        name: "forget",
        description: texts.forget,
        schema: {
          type: "object",
          properties: { id: { type: "string", description: texts.forgetId } },
          required: ["id"],
        },
      },
    ),
    tool((_input: unknown, runtime: RunConfig) => answering(runtime, (memories) => list(memories, texts)), {
      name: "list_memories",
      description: texts.list,
      schema: { type: "object", properties: {} },
    }),
  ] as StructuredToolInterface[];
}

async function remember(
  memories: Memories,
  content: string,
  sourceScope: string,
  texts: ToolTexts,
): Promise<string> {
  if (await holdsSecret(content)) return texts.refusedSecret;
  const known = new Set((await memories.list()).map(({ id }) => id));
  try {
    const { id } = await memories.remember(content, { sourceScope });
    return known.has(id) ? texts.known(id) : texts.remembered(id);
  } catch (error) {
    if (!MemoryError.isInstance(error)) throw error;
    if (error.code === "ERR_MEMORY_EMPTY") return texts.refusedEmpty;
    if (error.code === "ERR_MEMORY_TOO_LONG") return texts.refusedLength(maxContentLength);
    throw error;
  }
}

/** As the prompt has them: one line each, whatever somebody wrote into the file. */
async function list(memories: Memories, texts: ToolTexts): Promise<string> {
  const items = await memories.list();
  if (items.length === 0) return texts.noMemories;
  return items.map(({ id, content }) => `- ${id}: ${normalizeContent(content)}`).join("\n");
}
