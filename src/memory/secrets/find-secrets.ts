import { findCardNumbers } from "./card-numbers.js";
import { findKnownShapes } from "./known-shapes.js";
import { findLabelledValues } from "./labelled-values.js";
import { findPrivateKeys } from "./private-keys.js";
import { mayHoldMachineKey, scanWithSecretlint } from "./secretlint.js";
import { mergeSpans, type Span } from "./span.js";

/** Whether the text holds a credential (key, token, password, connection string, card number). Never rejects. */
export async function holdsSecret(text: string): Promise<boolean> {
  return findByOwnRules(text).length > 0 || (await scanWithSecretlint(text)).length > 0;
}

/** The text with `mark` in the place of each credential, and otherwise as it was. Never rejects. */
export async function maskSecrets(text: string, mark: string): Promise<string> {
  const spans = mayHoldMachineKey(text) ? await findSecrets(text) : mergeSpans(findByOwnRules(text));
  if (spans.length === 0) return text;
  const kept = spans.map((span, index) => text.slice(spans[index - 1]?.end ?? 0, span.start));
  return [...kept, text.slice(spans.at(-1)?.end)].join(mark);
}

/** Every credential in the text, in order; none overlaps another. */
export async function findSecrets(text: string): Promise<readonly Span[]> {
  return mergeSpans([...findByOwnRules(text), ...(await scanWithSecretlint(text))]);
}

function findByOwnRules(text: string): Span[] {
  return [
    ...findKnownShapes(text),
    ...findPrivateKeys(text),
    ...findCardNumbers(text),
    ...findLabelledValues(text),
  ];
}
