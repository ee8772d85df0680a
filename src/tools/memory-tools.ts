import { type StructuredToolInterface, tool } from "@langchain/core/tools";
import { MemoryError } from "../errors.js";
import { type ToolTexts, toolTexts } from "../locales/index.js";
import { globalScope, maxContentLength } from "../memory/memory-item.js";
import { holdsSecret } from "../memory/secrets/index.js";
import { oneLine } from "../text/index.js";
import {
  functionOf,
  isTemporaryRun,
  type MemoryWorkspace,
  type RunConfig,
  sessionOf,
} from "../workspace/index.js";

export interface MemoryToolsOptions {
  /**
   * Whose memories a call reads and changes: a non-empty string, or the call is refused.
   *
   * @default none: one person's
   */
  readonly userId?: ((runtime: RunConfig) => unknown) | undefined;
}

/**
 * Tools by which an agent remembers and forgets when its user asks for it: `remember`, `forget`, `list_memories`. They
 * keep to the limits, the filter of credentials and the user of all else, and their text says what happened or why not.
 *
 * @example
 * const agent = createAgent({
 *   model,
 *   tools: [...createMemoryTools(workspace)],
 *   middleware: [crossSessionMemoryMiddleware(workspace)],
 * });
 */
export function createMemoryTools(
  workspace: MemoryWorkspace,
  { userId }: MemoryToolsOptions = {},
): StructuredToolInterface[] {
  if (userId !== undefined)
    functionOf("a function of the runtime that gives the user's id")("userId", userId);
  const texts = toolTexts[workspace.parts.options.locale];

  /** Every call ends in a text: an error would end the agent's run. */
  const answering = async (
    runtime: RunConfig,
    answer: (own: MemoryWorkspace) => Promise<string>,
  ): Promise<string> => {
    try {
      const id = userId?.(runtime);
      if (userId !== undefined && (typeof id !== "string" || id === "")) return texts.noUser;
      const own = typeof id === "string" ? workspace.forUser(id) : workspace;
      const { aiMemoryEnabled } = await own.settings.get();
      return aiMemoryEnabled && !isTemporaryRun(runtime) ? await answer(own) : texts.switchedOff;
    } catch {
      return texts.failed;
    }
  };

  return [
    tool(
      ({ content }: { content: string }, runtime: RunConfig) =>
        answering(runtime, (own) => remember(own, content, sessionOf(runtime) ?? globalScope, texts)),
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
        answering(runtime, async (own) =>
          (await own.memories.remove(id)) ? texts.forgotten : texts.noSuchMemory,
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
    tool((_input: unknown, runtime: RunConfig) => answering(runtime, (own) => list(own, texts)), {
      name: "list_memories",
      description: texts.list,
      schema: { type: "object", properties: {} },
    }),
  ] as StructuredToolInterface[];
}

async function remember(
  workspace: MemoryWorkspace,
  content: string,
  sourceScope: string,
  texts: ToolTexts,
): Promise<string> {
  if (await holdsSecret(content)) return texts.refusedSecret;
  const known = new Set((await workspace.memories.list()).map(({ id }) => id));
  try {
    const { id } = await workspace.memories.add(content, { sourceScope });
    return known.has(id) ? texts.known(id) : texts.remembered(id);
  } catch (error) {
    if (!MemoryError.isInstance(error)) throw error;
    if (error.code === "ERR_MEMORY_EMPTY") return texts.refusedEmpty;
    if (error.code === "ERR_MEMORY_TOO_LONG") return texts.refusedLength(maxContentLength);
    throw error;
  }
}

async function list(workspace: MemoryWorkspace, texts: ToolTexts): Promise<string> {
  const memories = await workspace.memories.list();
  return memories.length === 0
    ? texts.noMemories
    : memories.map(({ id, content }) => `- ${id}: ${oneLine(content)}`).join("\n");
}
