import fs from "node:fs/promises";
import { isMissing } from "./error-code.js";

/** The text of a file without its byte order mark; `undefined` where there is no file. Any other fault rejects. */
export async function readText(path: string): Promise<string | undefined> {
  let text: string;
  try {
    text = await fs.readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}
