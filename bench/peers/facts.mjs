import { readFileSync } from "node:fs";

/** What is known of the user before a measurement: the facts and questions of `bench/recall/own`, in one store. */
const people = ["en", "zh"].flatMap((language) =>
  JSON.parse(readFileSync(new URL(`../recall/own/${language}.json`, import.meta.url), "utf8")),
);

/** Oldest first; the people's facts are mixed, as they would come in over time. */
export const facts = [];
const places = new Map();
for (let at = 0; at < Math.max(...people.map((person) => person.facts.length)); at++) {
  for (const person of people) {
    if (at < person.facts.length) {
      places.set(`${people.indexOf(person)}:${at}`, facts.length);
      facts.push(person.facts[at]);
    }
  }
}

/** Each with the facts that answer it. */
export const questions = people.flatMap((person, number) =>
  person.questions.map(([query, answeredBy]) => ({
    query,
    answers: answeredBy.map((at) => facts[places.get(`${number}:${at}`)]),
  })),
);

const names = ["Amara", "Bruno", "Chloe", "Dinesh", "Edda", "Farid", "Greta", "Hugo"];
const work = [
  ["the billing service", "Kotlin"],
  ["the warehouse scanner", "Go"],
  ["the customer survey", "a spreadsheet"],
  ["the ticket system", "Elixir"],
  ["the summer fair", "a mailing list"],
  ["the price forecast", "R"],
  ["the release notes", "Markdown"],
  ["the office move", "a shared board"],
];
const times = [
  "in spring",
  "on weekends",
  "since January",
  "until autumn",
  "every other week",
  "for one client",
];

/** Facts that answer none of the questions, so that not everything fits. */
export const otherFacts = names.flatMap((name) =>
  work.flatMap(([task, tool]) => times.map((time) => `${name} looks after ${task} ${time} and uses ${tool}`)),
);
