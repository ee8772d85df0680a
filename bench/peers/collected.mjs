import { median } from "../median.mjs";

/** Values for each row and column, as they come in. */
export class Collected {
  #rows = {};

  add(row, column, value) {
    this.#rows[row] ??= {};
    this.#rows[row][column] ??= [];
    this.#rows[row][column].push(value);
  }

  /** The rows with what `summary` makes of each one's values. */
  rows(summary) {
    const inEach = (row) =>
      Object.fromEntries(Object.entries(row).map(([key, values]) => [key, summary(values)]));
    return Object.fromEntries(Object.entries(this.#rows).map(([id, row]) => [id, inEach(row)]));
  }
}

export const spread = (values) => ({
  median: rounded(median(values)),
  least: rounded(Math.min(...values)),
  most: rounded(Math.max(...values)),
});

export const rounded = (value) => Math.round(value * 100) / 100;
