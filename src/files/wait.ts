import { setTimeout } from "node:timers/promises";

/** A ref'd wait of about `milliseconds`: were all timers unref'd, Node would end silently in the middle of a save. */
export async function waitAbout(milliseconds: number): Promise<void> {
  await setTimeout(milliseconds * (0.5 + Math.random()));
}
