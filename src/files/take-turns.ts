/** Enough for a turn of a conversation; with some 50 µs each, a socket waits for less than half a millisecond. */
const atOnce = 8;

/** As it is when the module loads: an app's test that fakes the timers later must not stop a conversation. */
const nextTurn = setImmediate;

let taken = 0;
let turnOver: Promise<void> | undefined;

/**
 * Resolves when a short piece of synchronous work may go ahead: at once for the first few in a turn of the event loop, in the
 * next one for the others. Whoever awaits such work again and again must not keep timers and sockets from their turn.
 */
export async function takeTurn(): Promise<void> {
  while (taken >= atOnce) await turnOver;
  taken++;
  turnOver ??= new Promise((resolve) => {
    nextTurn(() => {
      taken = 0;
      turnOver = undefined;
      resolve();
    });
  });
}
