import { readFileSync } from "node:fs";
import { asMemories } from "./facts.mjs";

/**
 * The facts of two people in English and two in Chinese, written for this bench. Each person's questions are asked of a
 * store that holds the facts of all four.
 */
export function ownScenarios() {
  const users = ["en", "zh"].flatMap((language) =>
    JSON.parse(readFileSync(new URL(`own/${language}.json`, import.meta.url), "utf8")).map((user, at) => ({
      ...user,
      language,
      name: `${language}-${at}`,
    })),
  );
  const memories = asMemories(
    users.flatMap(({ name, facts }) =>
      facts.map((content, at) => ({ content, evidence: [`${name}:${at}`], place: at / facts.length })),
    ),
  );
  const scenario = (language, title, toReach) => ({
    title,
    budgets: [2048, 1024, 512],
    toReach,
    stores: users
      .filter((user) => user.language === language)
      .map(({ name, questions }) => ({
        memories,
        questions: questions.map(([query, facts]) => ({
          query,
          evidence: facts.map((at) => `${name}:${at}`),
        })),
      })),
  });
  return [
    scenario("en", "Own set, English questions", [85, 80, 75]),
    scenario("zh", "Own set, Chinese questions", [85, 80, 75]),
  ];
}
