import { errorText } from "./texts.js";

/** All calls to the server, and the state that it last gave. */
const api = new URL("../api/", import.meta.url);
const listeners = new Set();
const connectionListeners = new Set();
let etag;
let latestRequest = 0;
let latest;

export class ActionError extends Error {
  constructor(code) {
    super(errorText(code));
    this.code = code;
  }
}

/** @param listener Called with each new state. */
export function onState(listener) {
  listeners.add(listener);
}

/** @param listener Called with an error text where the state can't be read, and with nothing once it can again. */
export function onConnection(listener) {
  connectionListeners.add(listener);
}

/** Shows the state as it is from now on. Never rejects. */
export function refresh() {
  latest = readState(++latestRequest);
  return latest;
}

async function readState(request) {
  try {
    const response = await reach("state", {
      cache: "no-store",
      headers: etag === undefined ? {} : { "if-none-match": etag },
    });
    for (const listener of connectionListeners) listener(undefined);
    if (response.status === 304) return;
    const state = await read(response);
    // A later one was asked for meanwhile: until that is shown, whoever waits for this one would see the state before it.
    if (request !== latestRequest) return latest;
    etag = response.headers.get("etag") ?? undefined;
    for (const listener of listeners) listener(state);
  } catch (error) {
    for (const listener of connectionListeners) listener(error.message);
  }
}

/** Carries out a call and shows what has come of it. Rejects with an ActionError whose message is for people. */
export async function act(name, body) {
  const result = await ask(name, body);
  await refresh();
  return result;
}

/** A call that changes nothing to see. */
export async function ask(name, body) {
  const response = await reach(name, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return read(response);
}

async function reach(name, options) {
  try {
    const response = await fetch(new URL(name, api), { credentials: "same-origin", ...options });
    if (response.ok || response.status === 304) return response;
    const { error } = await response.json().catch(() => ({}));
    throw new ActionError(error?.code ?? "unknown");
  } catch (error) {
    throw error instanceof ActionError ? error : new ActionError("ERR_OFFLINE");
  }
}

async function read(response) {
  try {
    return await response.json();
  } catch {
    throw new ActionError("ERR_OFFLINE");
  }
}

const pollMs = 2000;

/** Looks for changes made elsewhere: every two seconds while the page is seen, never while an answer is under way. */
export function keepFresh() {
  let timer;
  const tick = async () => {
    clearTimeout(timer);
    if (document.visibilityState === "hidden") return;
    await refresh();
    clearTimeout(timer);
    timer = setTimeout(tick, pollMs);
  };
  document.addEventListener("visibilitychange", tick);
  return tick();
}
