import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { codeBlocks } from "../docs/markdown.js";

export interface ReadmeBlock {
  /** Its place among all blocks of the file, from 0 on. */
  readonly index: number;
  readonly language: string;
  readonly code: string;
}

/** The fenced code blocks of a text in the root of the repository, as they are written. */
async function readmeBlocks(name = "README.md"): Promise<ReadmeBlock[]> {
  const text = await readFile(fileURLToPath(new URL(`../../${name}`, import.meta.url)), "utf8");
  return codeBlocks(text).map(({ language, code }, index) => ({ index, language, code }));
}

/** The first example in JavaScript or TypeScript: the one that most readers run. */
export async function firstExample(name = "README.md"): Promise<string> {
  const block = (await readmeBlocks(name)).find(({ language }) =>
    /^(?:js|mjs|ts|javascript|typescript)$/.test(language),
  );
  if (block === undefined) throw new Error(`${name} holds no example in JavaScript or TypeScript`);
  return block.code;
}

/** An ES module's imports as `require`, for a file that is CommonJS and otherwise the same. */
export function asCommonJS(code: string): string {
  return code.replaceAll(/^import (\{[^}]*\}) from (".*?");$/gm, (_, names: string, from: string) => {
    return `const ${names.replaceAll(" as ", ": ")} = require(${from});`;
  });
}
