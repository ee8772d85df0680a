import { Embeddings } from "@langchain/core/embeddings";

/** What is alike in meaning here: words of one line are one direction. */
const meanings = [
  ["feline", "cat", "kitten"],
  ["vehicle", "automobile", "car"],
  ["beverage", "tea"],
  ["telescope"],
  ["garden"],
];

/** Embeddings of this process that compute: a direction for each meaning. They tell what they were asked. */
export class CountingEmbeddings extends Embeddings {
  readonly documents: string[][] = [];
  readonly queries: string[] = [];
  readonly model: string;
  /** Awaited first: rejects or hangs where a test wants it. */
  before: () => Promise<unknown> = async () => {};
  /** Further dimensions, as another model has them. */
  more = 0;

  constructor(model = "meanings-1") {
    super({});
    this.model = model;
  }

  async embedDocuments(texts: string[]): Promise<number[][]> {
    this.documents.push(texts);
    await this.before();
    return texts.map((text) => this.#vectorOf(text));
  }

  async embedQuery(text: string): Promise<number[]> {
    this.queries.push(text);
    await this.before();
    return this.#vectorOf(text);
  }

  #vectorOf(text: string): number[] {
    const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
    const counts = meanings.map((meaning) => words.filter((word) => meaning.includes(word)).length);
    return [0.3, ...counts, ...Array.from({ length: this.more }, () => 0)];
  }
}
