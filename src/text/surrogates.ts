/**
 * A lone surrogate has no UTF-8 form: on its way to a provider it becomes U+FFFD or an escape that strict servers refuse.
 * It is half of something that was broken before, so nothing is lost with it.
 */
export function withoutLoneSurrogates(text: string): string {
  return text.isWellFormed() ? text : text.replaceAll(/\p{Surrogate}/gu, "");
}
