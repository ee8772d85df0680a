import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, test } from "vitest";

/**
 * `contract.md` maps each sentence that the library promises to the tests that hold it:
 *
 *     - "a sentence" → `test/area/file.test.ts` › name of the test
 *
 * Further tests of the same sentence follow behind `;`. A name that a table fills in stands as it is written in the test's file.
 */
const root = fileURLToPath(new URL("../", import.meta.url));
const contract = await readFile(join(root, "test/contract.md"), "utf8");

describe("the contract's map", () => {
  test.each(["3. Files", "4. Rules and skills", "5. Memory in the prompt", "6. Extraction", "7. Log"])(
    "has sentences of section %s",
    (heading) => {
      expect(sectionOf(contract, heading).filter((line) => line.startsWith("- "))).not.toEqual([]);
    },
  );

  test("names a test for every sentence", () => {
    const unmapped = contract
      .split("\n")
      .filter((line) => line.startsWith("- ") && readLine(line).length === 0);
    expect(unmapped).toEqual([]);
  });

  test("names tests that exist by exactly that name", async () => {
    const names = new Map<string, ReadonlySet<string>>();
    const missing: string[] = [];
    for (const line of contract.split("\n").filter((one) => one.startsWith("- "))) {
      for (const { file, name } of readLine(line)) {
        if (!names.has(file)) names.set(file, await testNames(join(root, file)));
        if (!names.get(file)?.has(name)) missing.push(`${file} › ${name}`);
      }
    }
    expect(missing).toEqual([]);
  });

  test("names no sentence twice", () => {
    const sentences = contract.split("\n").flatMap((line) => /^- "(.*)" → /.exec(line)?.[1] ?? []);
    expect(sentences.filter((sentence, at) => sentences.indexOf(sentence) !== at)).toEqual([]);
  });
});

function sectionOf(markdown: string, heading: string): string[] {
  const lines = markdown.split("\n");
  const start = lines.indexOf(`## ${heading}`);
  if (start < 0) return [];
  const end = lines.findIndex((line, at) => at > start && line.startsWith("## "));
  return lines.slice(start + 1, end < 0 ? undefined : end);
}

/** The tests of a sentence; none where the line is not written as it must be. */
function readLine(line: string): { file: string; name: string }[] {
  const [, tests] = /^- ".+" → (.+)$/.exec(line) ?? [];
  return (tests?.split(/; (?=`test\/)/) ?? []).flatMap((one) => {
    const [, file, name] = /^`(test\/[\w./-]+\.ts)` › (.+)$/.exec(one) ?? [];
    return file === undefined || name === undefined ? [] : [{ file, name: name.trim() }];
  });
}

const testFunctions = ["it", "test", "describe"];

/**
 * The names of a file's tests, alone and behind those of the groups that they stand in, with ` › ` between; tests that it takes from
 * a suite beside it are among them.
 */
async function testNames(path: string, visited = new Set<string>()): Promise<Set<string>> {
  const names = new Set<string>();
  visited.add(path);
  const source = await readFile(path, "utf8").catch(() => undefined);
  if (source === undefined) return names;
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.ES2022, true);
  collect(file, [], names);
  for (const statement of file.statements.filter(ts.isImportDeclaration)) {
    const { text } = statement.moduleSpecifier as ts.StringLiteral;
    const imported = join(dirname(path), text.replace(/\.js$/, ".ts"));
    const isSuite = text.startsWith(".") && imported.startsWith(join(root, "test/"));
    if (!isSuite || visited.has(imported)) continue;
    for (const name of await testNames(imported, visited)) names.add(name);
  }
  return names;
}

function collect(node: ts.Node, groups: readonly string[], names: Set<string>): void {
  const [kind, name] = ts.isCallExpression(node) ? namedTest(node) : [];
  if (kind !== undefined && name !== undefined && kind !== "describe") {
    for (let from = 0; from <= groups.length; from++) names.add([...groups.slice(from), name].join(" › "));
  }
  const inner = kind === "describe" && name !== undefined ? [...groups, name] : groups;
  ts.forEachChild(node, (child) => collect(child, inner, names));
}

/** `it("name", …)`, `test.skipIf(…)("name", …)`, `it.each([…])("name", …)`. */
function namedTest({ expression, arguments: [first] }: ts.CallExpression): [string?, string?] {
  let callee: ts.Expression = expression;
  while (!ts.isIdentifier(callee)) {
    if (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) callee = callee.expression;
    else if (ts.isTaggedTemplateExpression(callee)) callee = callee.tag;
    else return [];
  }
  if (!testFunctions.includes(callee.text) || first === undefined) return [];
  if (ts.isStringLiteralLike(first)) return [callee.text, first.text];
  return ts.isTemplateExpression(first) ? [callee.text, first.getText().slice(1, -1)] : [];
}
