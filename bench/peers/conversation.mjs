/** A conversation that everyone gets: in sessions, each turn with a mark of its own by which the server knows it. */
export function conversation({ turns, turnsOfSession, characters }) {
  return Array.from({ length: turns }, (_, turn) => {
    const session = Math.floor(turn / turnsOfSession);
    const mark = `turn-${session}-${turn % turnsOfSession}`;
    return { session: `session-${session}`, mark, text: said(mark, turn, characters) };
  });
}

export const marksOf = (text) => text.match(/\bturn-\d+-\d+\b/g) ?? [];

const sentences = [
  "The customers in Lyon want the report before they open on Monday.",
  "Our tests take eleven minutes, and nobody waits for them any more.",
  "Please weigh the two ways against each other and name the cheaper one.",
  "Ines will look at it tomorrow, so write it down in a way that she can follow.",
  "The old service stays until the last of the partners has moved.",
  "I would rather have fewer parts than more features.",
  "What would break first if twice as many people came?",
  "We keep the measurements of three years and must be able to delete them.",
];

function said(mark, turn, characters) {
  let text = `In ${mark} I take this option.`;
  for (let at = turn; text.length < characters; at += 3) text += ` ${sentences[at % sentences.length]}`;
  return text.slice(0, characters);
}
