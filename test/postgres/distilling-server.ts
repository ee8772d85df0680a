import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A part of what waited, as it came to the model. */
export interface SentPart {
  readonly process: number;
  /** `<user number>-<turn>-<role>` of each message in it. */
  readonly marks: readonly string[];
  readonly began: number;
  ended: number;
}

/** The model of all processes: makes a fact of every user message, and remembers what it was sent and by whom. */
export class DistillingServer {
  readonly parts: SentPart[] = [];
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      let text = "";
      request.on("data", (chunk) => {
        text += chunk;
      });
      request.on("end", () => {
        const { process, prompt } = JSON.parse(text) as { process: number; prompt: string };
        const marks = [...prompt.matchAll(/<(\d+-\d+-(?:user|assistant))>/g)].map(([, mark]) => String(mark));
        const part: SentPart = { process, marks, began: performance.now(), ended: Number.POSITIVE_INFINITY };
        this.parts.push(part);
        const facts = marks
          .filter((mark) => mark.endsWith("user"))
          .map((mark) => ({ content: `user ${mark.split("-")[0]} said number ${mark.split("-")[1]}` }));
        // A model takes its time: long enough for other processes to want the same.
        setTimeout(
          () => {
            part.ended = performance.now();
            response.end(JSON.stringify(facts));
          },
          20 + 60 * Math.random(),
        );
      });
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
