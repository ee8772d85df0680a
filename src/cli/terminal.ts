import { createInterface, type Interface } from "node:readline/promises";
import { table } from "./table.js";

type Colour = "bold" | "dim" | "red" | "yellow" | "green";

const codes: Readonly<Record<Colour, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  yellow: [33, 39],
  green: [32, 39],
};

const defaultWidth = 80;

/** Where the command speaks: text for a person, or JSON for a program; colours only where they are seen. */
export class Terminal {
  readonly asJson: boolean;
  readonly #host: NodeJS.Process;
  readonly #hasColours: boolean;
  #reader: Interface | undefined;
  #answers: AsyncIterator<string> | undefined;

  constructor(host: NodeJS.Process, options: { readonly asJson: boolean; readonly noColor: boolean }) {
    this.#host = host;
    this.asJson = options.asJson;
    const { NO_COLOR: noColor, TERM: term } = host.env;
    this.#hasColours =
      host.stdout.isTTY === true && !options.noColor && (noColor ?? "") === "" && term !== "dumb";
  }

  /** Whether there is a person to ask. */
  get isInteractive(): boolean {
    return this.#host.stdin.isTTY === true && !this.asJson;
  }

  get width(): number {
    return this.#host.stdout.columns || defaultWidth;
  }

  line(text = ""): void {
    this.#host.stdout.write(`${text}\n`);
  }

  /** A person's own text: exactly in a pipe; on a terminal without what would command it. */
  content(text: string): void {
    const shown = this.#host.stdout.isTTY === true ? withoutControls(text) : text;
    this.#host.stdout.write(shown.endsWith("\n") ? shown : `${shown}\n`);
  }

  json(value: unknown): void {
    this.#host.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
  }

  error(text: string): void {
    this.#host.stderr.write(`${text}\n`);
  }

  /** On a terminal the last column is cut to its width; in a pipe nothing is. */
  table(columns: readonly string[], rows: readonly (readonly string[])[]): void {
    const width = this.#host.stdout.isTTY === true ? this.width : Number.POSITIVE_INFINITY;
    const [head = "", ...lines] = table(
      columns,
      rows.map((row) => row.map(withoutControls)),
      width,
    );
    this.line(this.paint("dim", head));
    for (const line of lines) this.line(line);
  }

  paint(colour: Colour, text: string): string {
    if (!this.#hasColours) return text;
    const [open, close] = codes[colour];
    return `\u001b[${open}m${text}\u001b[${close}m`;
  }

  /** One answer. Where the input ends there is none. */
  async ask(question: string): Promise<string> {
    const { stdin: input, stdout: output } = this.#host;
    // One reader for all questions: what is typed ahead answers the next.
    this.#reader ??= createInterface({ input, output });
    this.#answers ??= this.#reader[Symbol.asyncIterator]();
    output.write(question);
    const { value, done } = await this.#answers.next();
    return done === true ? "" : value.trim();
  }

  /** After the last question: an open input keeps the process up. */
  endQuestions(): void {
    this.#reader?.close();
  }

  async readInput(): Promise<string> {
    let text = "";
    this.#host.stdin.setEncoding("utf8");
    for await (const chunk of this.#host.stdin) text += chunk;
    return text;
  }
}

/** Control and bidirectional characters could move the cursor, retitle the window or turn a line around. */
function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/gu, "");
}
