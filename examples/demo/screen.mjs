/** How the demo writes on the terminal: colour only where somebody looks at it, bars, and texts cut to fit a line. */

const colours = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 };
const coloured = process.stdout.isTTY === true && !process.env.NO_COLOR;

export function paint(colour, text) {
  return coloured ? `\u001b[${colours[colour]}m${text}\u001b[0m` : text;
}

export function say(line = "") {
  process.stdout.write(`${line}\n`);
}

export function heading(text) {
  say(`\n${paint("bold", `== ${text} ==`)}`);
}

/** One line of at most that many columns; a Han character takes two. */
export function brief(text, columns) {
  let used = 0;
  let line = "";
  for (const { segment } of new Intl.Segmenter().segment(text.replace(/\s+/gu, " ").trim())) {
    used += width(segment);
    if (used > columns - 1) return `${line}…`;
    line += segment;
  }
  return line;
}

export function pad(text, columns) {
  return (
    text + " ".repeat(Math.max(0, columns - [...text].reduce((sum, character) => sum + width(character), 0)))
  );
}

/** `█████░░░░░  4.1 / 8 KB`: bytes against their budget. */
export function bar(bytes, budget, cells = 24) {
  const filled = Math.min(cells, Math.max(bytes > 0 ? 1 : 0, Math.round((bytes / budget) * cells)));
  const figures = `${pad(String(bytes), 6)}/ ${budget} B`;
  return `${paint("cyan", "█".repeat(filled))}${paint("dim", "░".repeat(cells - filled))} ${figures}`;
}

function width(character) {
  return /[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u.test(character) ? 2 : 1;
}
