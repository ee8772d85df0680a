/** Whose memory it is must come from the app's own sign-in, never from what a client may choose. */
const userOfSession = new Map([
  ["ann-session", "ann"],
  ["ben-session", "ben"],
]);

export function signedInUser(request) {
  const [, session] = /(?:^|; )session=([\w-]+)/.exec(request.headers.get("cookie") ?? "") ?? [];
  return userOfSession.get(session);
}
