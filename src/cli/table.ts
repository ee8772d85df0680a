/** Lines of a table: columns as wide as what is in them, the last one cut to the width of the screen. */
export function table(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
): string[] {
  const all = [columns, ...rows].map((row) => row.map((cell) => cell.replace(/\s+/gu, " ")));
  const widths = columns.map((_column, index) => Math.max(...all.map((row) => shownWidth(row[index] ?? ""))));
  const before = widths.slice(0, -1).reduce((sum, one) => sum + one + 2, 0);
  const last = columns.length - 1;
  return all.map((row) =>
    row
      .map((cell, index) =>
        index === last ? cutTo(cell, Math.max(20, width - before)) : padded(cell, widths[index] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
}

function padded(cell: string, width: number): string {
  return cell + " ".repeat(Math.max(0, width - shownWidth(cell)));
}

function cutTo(cell: string, width: number): string {
  if (shownWidth(cell) <= width) return cell;
  let cut = "";
  let used = 1;
  for (const character of cell) {
    used += shownWidth(character);
    if (used > width) break;
    cut += character;
  }
  return `${cut}…`;
}

/** Chinese characters and emoji take two columns of a terminal. */
function shownWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/\p{Mark}|\u200d|\ufe0f/u.test(character)) continue;
    width +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u.test(
        character,
      )
        ? 2
        : 1;
  }
  return width;
}
