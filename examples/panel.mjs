// The settings page in an app of many users: node examples/panel.mjs, then open the link that it shows.
import { createServer } from "node:http";
import { MemoryWorkspace } from "langchain-cross-session-memory";
import { createMemoryPanel, toNodeHandler } from "langchain-cross-session-memory/panel";

const workspace = new MemoryWorkspace({ dir: "./ai", locale: "en" });

// Your own sign-in stands here: this one believes any browser that says ?user=… once.
const panel = createMemoryPanel(workspace, {
  authorize: (request) => {
    const [, user] = /(?:^|; )user=(\w+)/u.exec(request.headers.get("cookie") ?? "") ?? [];
    return user === undefined ? null : { userId: user, canManageAssets: user === "owner" };
  },
});
const handle = toNodeHandler(panel);

const server = createServer((request, response) => {
  const user = new URL(request.url ?? "/", "http://localhost").searchParams.get("user");
  if (user === null) return handle(request, response);
  const cookie = `user=${encodeURIComponent(user)}; HttpOnly; SameSite=Lax; Path=/`;
  response.writeHead(303, { location: "/settings/memory", "set-cookie": cookie }).end();
});
server.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}/?user=alice (and ?user=owner for rules and skills)`);
});
