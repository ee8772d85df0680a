import type { SummaryTexts } from "../locales/index.js";
import { textOfContent } from "../messages/chat-message.js";
import { withoutReasoning } from "../messages/reasoning.js";
import { type ChatModel, isCutOff, notStreaming } from "./extraction/chat-model.js";
import { contentFailure, type ExtractionFailure, failureOf } from "./extraction/failure.js";
import { ModelAttempt } from "./extraction/model-attempt.js";
import { maskSecrets } from "./secrets/index.js";
import type { SummaryPart } from "./summary-part.js";

export interface SummaryRequestParts {
  readonly model: ChatModel;
  readonly texts: SummaryTexts;
  /** Stands where a credential stood. */
  readonly secretMark: string;
  readonly timeoutMs: number;
}

/** Asks for a summary of the former one and new messages: one system message, one user message. Never rejects. */
export async function askForSummary(
  former: string | undefined,
  lines: SummaryPart["lines"],
  { model, texts, secretMark, timeoutMs }: SummaryRequestParts,
): Promise<{ summary: string } | { failure: ExtractionFailure }> {
  const masked = await Promise.all(
    lines.map(async ({ role, content }) =>
      JSON.stringify({ role, content: await maskSecrets(content, secretMark) }),
    ),
  );
  const formerPart = former === undefined ? "" : `${texts.formerHeading}\n${former}\n\n`;
  const user = `${formerPart}${texts.conversationHeading}\n${masked.join("\n")}`;
  const attempt = new ModelAttempt({ system: texts.instruction, user }, timeoutMs);
  try {
    const reply = await attempt.invoke(notStreaming(model));
    if (isCutOff(reply)) return { failure: contentFailure("cut off") };
    const content = typeof reply === "string" ? reply : (reply as { content?: unknown } | undefined)?.content;
    const summary = withoutReasoning(textOfContent(content)).trim();
    if (summary === "") return { failure: contentFailure("empty summary") };
    return { summary: await maskSecrets(summary, secretMark) };
  } catch (error) {
    return { failure: failureOf(error) };
  } finally {
    attempt.end();
  }
}
