import { faultName } from "../../errors.js";
import { readText } from "../../files/index.js";

export type JsonReading =
  | { readonly state: "missing" }
  | { readonly state: "unreadable"; readonly reason: string }
  | { readonly state: "broken" }
  | { readonly state: "read"; readonly value: unknown };

/** A file as it stands on the disk, without what reading it generously would forgive. An empty file is as good as none. */
export async function readJson(path: string): Promise<JsonReading> {
  let text: string | undefined;
  try {
    text = await readText(path);
  } catch (error) {
    return { state: "unreadable", reason: faultName(error) };
  }
  if (text === undefined || text.trim() === "") return { state: "missing" };
  try {
    return { state: "read", value: JSON.parse(text) };
  } catch {
    return { state: "broken" };
  }
}
