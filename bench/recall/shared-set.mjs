import { loadLocomo } from "./locomo.mjs";
import { loadMemoryBank } from "./memory-bank.mjs";

const budgets = [8192, 4096, 2048];

/** LoCoMo and MemoryBank from a folder: what is measured on them. */
export async function sharedSet(folder) {
  const [locomo, bank] = await Promise.all([loadLocomo(folder), loadMemoryBank(folder)]);
  const recall = [
    { title: "LoCoMo, limit 100", stores: locomo.newest(100) },
    { title: "LoCoMo, all facts", stores: locomo.all(), toReach: [80, 76, 72.5] },
    { title: "LoCoMo, names removed, among 1,000", stores: locomo.among(1000), toReach: [72, 70, 66] },
    { title: "LoCoMo in Chinese", stores: locomo.inChinese(), toReach: [78.5, 77, 72.5] },
    { title: "MemoryBank, Chinese dialogues", stores: bank.own(), toReach: [94, 91, 88] },
    { title: "MemoryBank, Chinese dialogues of all users", stores: bank.together() },
  ];
  return {
    recall: recall.map((scenario) => ({ budgets, ...scenario })),
    sessions: [
      { title: "LoCoMo, all facts", stores: locomo.all(), isLimited: true },
      { title: "LoCoMo, names removed, among 1,000", stores: locomo.among(1000) },
      { title: "MemoryBank, Chinese dialogues", stores: bank.own(), isLimited: true },
    ],
    limits: locomo.all(),
    timing: [
      { title: "English", ...timed(locomo.among(1000)) },
      { title: "Chinese", ...timed(bank.together()) },
    ],
  };
}

function timed([store]) {
  const { memories, questions } = store;
  const filled = Array.from({ length: 1000 }, (_, at) => {
    const { content, ...rest } = memories[at % memories.length];
    return {
      ...rest,
      id: `fact-${at}`,
      createdAt: at,
      content: at < memories.length ? content : `${content} ${at}`,
    };
  });
  return { memories: filled, queries: questions.map(({ query }) => query) };
}
