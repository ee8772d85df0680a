/** So much of what the user said is looked at: a pasted log has its question at one end. */
const maxEnd = 2000;

/** The user's words, of a long text its beginning and its end. */
export function shortened(words: string): string {
  if (words.length <= 2 * maxEnd) return words;
  return `${words.slice(0, maxEnd)}\n${words.slice(-maxEnd)}`;
}
