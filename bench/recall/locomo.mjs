import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { asContent, asMemories } from "./facts.mjs";

/** The conversation of which the folder has a Chinese translation. */
const translated = "conv-30";
const lastSessions = 5;

/** As the speakers call each other. */
const shortForms = ["Mel", "Jo", "Deb", "Cal", "Caro", "Andy", "Audie"];

/**
 * LoCoMo: long conversations of two people, the facts that were distilled from them (`observation`), and questions with the
 * turns that answer them. What was said in the last sessions are the words of real turns.
 */
export async function loadLocomo(folder) {
  const conversations = JSON.parse(await readFile(join(folder, "locomo10.json"), "utf8"));
  const facts = await linesOf(join(folder, "locomo30_zh_obs.txt"));
  const asked = await linesOf(join(folder, "locomo30_zh_q.txt"));
  const storeOf = (conversation, memories) => ({
    memories,
    questions: questionsOf(conversation),
    sessions: sessionNames(conversation)
      .slice(-lastSessions)
      .map((name) => conversation.conversation[name].map(({ text }) => text)),
  });
  const all = () => conversations.map((one) => storeOf(one, asMemories(factsOf(one))));
  return {
    all,
    newest: (limit) => all().map((store) => ({ ...store, memories: store.memories.slice(-limit) })),
    /** Each with facts of the others up to so many, and "the user" in place of names: no name tells whose a fact is. */
    among: (count) => {
      const withoutNames = nameRemover(conversations);
      return conversations.map((conversation) => {
        const own = factsOf(conversation);
        const others = conversations
          .filter((one) => one !== conversation)
          .flatMap((one) => factsOf(one))
          .map((fact) => ({ ...fact, evidence: [] }));
        const wanted = Math.max(0, count - own.length);
        const added = Array.from(
          { length: wanted },
          (_, at) => others[Math.floor((at * others.length) / wanted)],
        );
        const memories = asMemories([...own, ...added]).map((memory) => ({
          ...memory,
          content: asContent(withoutNames(memory.content, "The user")),
        }));
        const store = storeOf(conversation, memories);
        const questions = store.questions.map(({ query, evidence }) => ({
          query: withoutNames(query, "I"),
          evidence,
        }));
        return { ...store, questions };
      });
    },
    inChinese: () => {
      const conversation = conversations.find(({ sample_id: id }) => id === translated);
      return [
        { memories: asMemories(factsOf(conversation, facts)), questions: questionsOf(conversation, asked) },
      ];
    },
  };
}

function sessionNames({ conversation }) {
  const number = (name) => Number(name.slice("session_".length));
  return Object.keys(conversation)
    .filter((name) => /^session_\d+$/.test(name))
    .sort((left, right) => number(left) - number(right));
}

/** Oldest first; within a session in the order of the turns that they come from. `translation`: line by line. */
function factsOf(conversation, translation) {
  const names = sessionNames(conversation);
  let line = 0;
  return names.flatMap((name, session) => {
    const observed = Object.values(conversation.observation[`${name}_observation`] ?? {}).flat();
    const facts = observed
      .map(([text, source]) => ({
        content: asContent(translation === undefined ? text : translation[line++]),
        evidence: turnsIn(source),
      }))
      .sort((left, right) => turnNumber(left) - turnNumber(right));
    return facts.map((fact, at) => ({ ...fact, place: (session + at / facts.length) / names.length }));
  });
}

function questionsOf({ qa }, translation) {
  // The fifth category asks for what was never said.
  const usable = qa.filter(({ category, evidence }) => category !== 5 && evidence?.length > 0);
  return usable
    .map(({ question, evidence }, at) => ({
      query: translation?.[at] ?? question,
      evidence: turnsIn(evidence),
    }))
    .filter(({ evidence }) => evidence.length > 0);
}

/** Turns are written `D3:7`, some of them `D:3:7` or `D3:07`, alone or in lists. */
function turnsIn(source) {
  return [source]
    .flat()
    .flatMap((text) => [...String(text).matchAll(/D:?(\d+):0*(\d+)/g)])
    .map(([, session, turn]) => `D${session}:${turn}`);
}

function turnNumber({ evidence: [first = "D0:0"] }) {
  return Number(first.split(":")[1]);
}

function nameRemover(conversations) {
  const names = conversations.flatMap(({ conversation }) => [conversation.speaker_a, conversation.speaker_b]);
  const pattern = new RegExp(`\\b(?:${[...new Set([...names, ...shortForms])].join("|")})\\b('s)?`, "g");
  const possessives = { "The user": "the user's", I: "my" };
  return (text, instead) =>
    text.replaceAll(pattern, (_, possessive) => (possessive === undefined ? instead : possessives[instead]));
}

async function linesOf(path) {
  return (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
}
