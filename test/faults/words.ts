/** The words that the conversation of a request holds, each once, in order; known memories hold them in other words. */
export function wordsIn(request: string): string[] {
  return [...new Set([...request.matchAll(/I say (w[0-9a-f-]{36})/g)].map(([, word = ""]) => word))];
}

/** Whether what takes longer than a minute runs too. */
export const isLong = process.env.MEMORY_TEST_LONG === "1";
