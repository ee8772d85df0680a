/**
 * Why an attempt failed, without a word of what was said: a provider's error text may quote the request, so only its
 * status and its class go on.
 */
export interface ExtractionFailure {
  /** Short and stable, such as `"status 429"`, `"time-out"`, `"not JSON"`; what `extractNow` gives and the log says. */
  readonly reason: string;
  /** HTTP status, where there was one. */
  readonly status?: number | undefined;
  /** True where the part failed for what it holds, so that a smaller part may do. */
  readonly ofContent: boolean;
}

export function contentFailure(reason: string): ExtractionFailure {
  return { reason, ofContent: true };
}

export function passingFailure(reason: string): ExtractionFailure {
  return { reason, ofContent: false };
}

const statusesOfContent = new Set([400, 413, 422]);

/** Refusals that have nothing to do with what was asked for. */
const statusesOfOther = new Set([401, 403, 408, 429]);

/** Names that clients give to a reply that ended too early or was refused. */
const namesOfContent = /LengthFinishReason|ContentFilter|ContextOverflow|ContextLength/i;

export function failureOf(error: unknown): ExtractionFailure {
  const status = statusOf(error);
  const name = nameOf(error);
  const ofContent = (status !== undefined && statusesOfContent.has(status)) || namesOfContent.test(name);
  if (name === timeOutName) return passingFailure("time-out");
  return { reason: status === undefined ? name : `status ${status}, ${name}`, status, ofContent };
}

export function statusOf(error: unknown): number | undefined {
  const { status, statusCode, response, code } = fieldsOf(error);
  const candidates = [status, statusCode, fieldsOf(response).status, code].map(Number);
  return candidates.find((candidate) => Number.isInteger(candidate) && candidate >= 100 && candidate < 600);
}

/** Whether a server or client says that it has no structured output, by its words: providers give it many statuses. */
export function refusesStructure(error: unknown): boolean {
  const { message } = fieldsOf(error);
  const status = statusOf(error);
  if (typeof message !== "string" || (status !== undefined && statusesOfOther.has(status))) return false;
  const namesIt =
    /response_format|json_schema|json schema|structured output|withStructuredOutput|tool_choice|tools?\b|function call/i;
  const refusesIt =
    /not support|unsupported|unavailable|not available|not implemented|unknown|unrecognized|invalid|does not|doesn't|not allowed|not permitted|only supported/i;
  return namesIt.test(message) && refusesIt.test(message);
}

/** Whether the client threw since it couldn't parse the reply: its text may be in `llmOutput`, or lost. */
export function isUnparsable(error: unknown): boolean {
  const { lc_error_code: code, llmOutput } = fieldsOf(error);
  return (
    code === "OUTPUT_PARSING_FAILURE" ||
    typeof llmOutput === "string" ||
    /OutputParser|SyntaxError|ZodError/.test(nameOf(error))
  );
}

export function lostTextOf(error: unknown): string | undefined {
  const { llmOutput } = fieldsOf(error);
  return typeof llmOutput === "string" && llmOutput !== "" ? llmOutput : undefined;
}

const timeOutName = "ExtractionTimeOut";

export function timeOutError(): Error {
  const error = new Error("no answer within extractionTimeoutMs");
  error.name = timeOutName;
  return error;
}

/** The error's class; never its message. */
function nameOf(error: unknown): string {
  const { name } = fieldsOf(error);
  const names = [fieldsOf(fieldsOf(error).constructor).name, name];
  const telling = names.find((one) => typeof one === "string" && one !== "Error" && one !== "Object");
  if (name === timeOutName) return name;
  return typeof telling === "string" && /^[\w$.-]{1,60}$/.test(telling) ? telling : "Error";
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return (typeof value === "object" && value !== null) || typeof value === "function"
    ? (value as Record<string, unknown>)
    : {};
}
