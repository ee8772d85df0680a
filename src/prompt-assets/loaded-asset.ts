import type { ContextTexts } from "../locales/context-texts.js";
import { cutToBytes, oneLine, utf8Length, withoutLastGrapheme } from "../text/index.js";
import { decode, wholeCharacters } from "./decode.js";
import { type ParsedAsset, parseAsset } from "./frontmatter.js";
import type { FileStart } from "./read-start.js";

/** A rule or skill as it goes into the prompt and into lists. */
export interface LoadedAsset {
  /** The asset's identity, ending included. */
  readonly filename: string;
  /** One line: from the frontmatter, otherwise the file name without its ending. */
  readonly name: string;
  /** One line; empty where there is none. */
  readonly description: string;
  /** Size of the whole file on disk. */
  readonly bytes: number;
  /** Whether the file is over the file budget, so that only its beginning is in `body`. */
  readonly truncated: boolean;
  /** Within the file budget, the mark of a cut included. Empty for a file without text: listed, not injected. */
  readonly body: string;
}

export interface AssetReading {
  readonly asset: LoadedAsset;
  readonly problem: ParsedAsset["problem"];
}

/** @throws UnusableFile where it is no UTF-8 text. */
export function readAsset(
  filename: string,
  { content, bytes }: FileStart,
  fileBudget: number,
  texts: ContextTexts,
): AssetReading {
  const truncated = content.length > fileBudget;
  const text = truncated
    ? withoutLastGrapheme(decode(content.subarray(0, wholeCharacters(content, fileBudget))))
    : decode(content);
  const { name, description, body, problem } = parseAsset(text);
  const asset = {
    filename,
    name: name ?? oneLine(filename.slice(0, -".md".length)),
    description,
    bytes,
    truncated,
    body: truncated ? withCutMark(body, fileBudget, texts.fileCutMark(fileBudget)) : body,
  };
  return { asset, problem };
}

function withCutMark(body: string, fileBudget: number, mark: string): string {
  const kept = cutToBytes(body, fileBudget - utf8Length(`\n${mark}`)).trimEnd();
  return kept === "" ? mark : `${kept}\n${mark}`;
}
