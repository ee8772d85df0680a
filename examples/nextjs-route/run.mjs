/**
 * Stands in for Next.js, to show the route at work: two users, each in two sessions.
 *
 *     npm run build && node examples/nextjs-route/run.mjs
 *
 * In an app of yours `app/` and `lib/` are all that is needed.
 */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEnvironment } from "../model.mjs";

const { name, close } = await openEnvironment();
console.log(`model: ${name}`);
process.env.AI_DIR = await mkdtemp(join(tmpdir(), "cross-session-memory-"));

// As Next.js does: only once a request has come.
const { POST } = await import("./app/api/chat/route.js");
const { workspace } = await import("./lib/chat.js");

async function say(user, session, text) {
  const request = new Request("http://localhost:3000/api/chat", {
    method: "POST",
    headers: { cookie: `session=${user}-session` },
    body: JSON.stringify({ session, text }),
  });
  const response = await POST(request);
  let answer = "";
  let pieces = 0;
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    answer += piece;
    pieces += 1;
  }
  console.log(`\n${user}, ${session}> ${text}\n${answer}\n  (status ${response.status}, ${pieces} pieces)`);
}

await say("ann", "monday", "Our project uses pnpm and never npm, because of the lockfile.");
await say("ben", "monday", "Our project uses yarn and never npm, because of the lockfile.");
// By itself in the background, once 4000 characters of one user's have gathered.
for (const user of ["ann", "ben"]) await workspace.forUser(user).extractNow();

await say("ann", "tuesday", "Which package manager does our project use?");
await say("ben", "tuesday", "Which package manager does our project use?");
await say("eve", "tuesday", "Which package manager does our project use?");

console.log(`\nfiles: ${process.env.AI_DIR}`);
await workspace.close();
await close();
