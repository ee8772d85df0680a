import { connect, createServer, type Server, type Socket } from "node:net";

/** A line to a server that can be cut, so that a test can have the server down, whoever runs it. */
export class CutLine {
  readonly url: string;
  readonly #server: Server;
  readonly #port: number;
  readonly #sockets: Set<Socket>;

  private constructor(server: Server, port: number, sockets: Set<Socket>, target: URL) {
    this.#server = server;
    this.#port = port;
    this.#sockets = sockets;
    const url = new URL(target);
    url.hostname = "127.0.0.1";
    url.port = String(port);
    this.url = url.href;
  }

  static async to(targetUrl: string): Promise<CutLine> {
    const target = new URL(targetUrl);
    const sockets = new Set<Socket>();
    const server = createServer((incoming) => {
      const outgoing = connect(Number(target.port || 5432), target.hostname);
      for (const [one, other] of [
        [incoming, outgoing],
        [outgoing, incoming],
      ] as const) {
        sockets.add(one);
        one.on("error", () => other.destroy());
        one.on("close", () => {
          sockets.delete(one);
          other.destroy();
        });
        one.pipe(other);
      }
    });
    const port = await listen(server, 0);
    return new CutLine(server, port, sockets, target);
  }

  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Waits for the connections, which their pool has ended, to be gone. */
  async end(): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async mend(): Promise<void> {
    await listen(this.#server, this.#port);
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
  });
}
