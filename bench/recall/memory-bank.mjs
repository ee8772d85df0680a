import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { asContent, asMemories } from "./facts.mjs";

const lastSessions = 5;

/** MemoryBank's Chinese users: what was said, turn by turn, and questions with the turns that answer them. */
export async function loadMemoryBank(folder) {
  const read = (name) => readFile(join(folder, name), "utf8");
  const users = JSON.parse(await read("memory_bank_cn.json"));
  const evidence = JSON.parse(await read("memorybank_cn_evidence.json"));
  const questions = Object.assign(
    {},
    ...(await read("probing_questions_cn.jsonl"))
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line)),
  );
  const names = Object.keys(users);
  const storeOf = (name, memories) => ({
    memories,
    questions: questions[name].map((query, at) => ({
      query,
      evidence: evidence[name][at].map((turn) => `${name}|${turn}`),
    })),
    sessions: daysOf(users[name])
      .slice(-lastSessions)
      .map((day) => users[name].history[day].map(({ query }) => query)),
  });
  return {
    own: () => names.map((name) => storeOf(name, asMemories(turnsOf(name, users[name])))),
    /** One store for all of them. */
    together: () => {
      const memories = asMemories(names.flatMap((name) => turnsOf(name, users[name]))).slice(-1000);
      return names.map((name) => storeOf(name, memories));
    },
  };
}

function daysOf({ history }) {
  return Object.keys(history).sort();
}

function turnsOf(name, user) {
  const days = daysOf(user);
  return days.flatMap((day, at) =>
    user.history[day].flatMap(({ query, response }, turn, turns) =>
      [
        { mark: "u", content: `用户：${query}`, later: 0 },
        { mark: "a", content: `助手：${response}`, later: 0.5 },
      ].map(({ mark, content, later }) => ({
        content: asContent(content),
        evidence: [`${name}|${day.slice("2023-".length)}:${turn}${mark}`],
        place: (at + (turn + later) / turns.length) / days.length,
      })),
    ),
  );
}
