/** Says something to a bundled route in one session and asks for it in another: node call-route.mjs <bundle> */
import { pathToFileURL } from "node:url";

const bundle = await import(pathToFileURL(process.argv[2]).href);
const { POST, workspace } = bundle.POST === undefined ? bundle.default : bundle;

async function say(session, text) {
  const request = new Request("http://localhost/api/chat", {
    method: "POST",
    headers: { cookie: "session=ann-session" },
    body: JSON.stringify({ session, text }),
  });
  return (await POST(request)).text();
}

await say("monday", "Our project uses pnpm and never npm, because of the lockfile.");
const { stored } = await workspace.forUser("ann").extractNow();
const answer = await say("tuesday", "Which package manager does our project use?");
console.log(`learned: ${stored}; answered: ${/pnpm/.exec(answer)?.[0] ?? answer}`);
