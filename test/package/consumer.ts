import { join } from "node:path";
import ts from "typescript";

export interface Consumer {
  /** A TypeScript file that does not compile where an export is `any`. */
  readonly source: string;
  /** The exports that it looks at. */
  readonly names: readonly string[];
}

/** Looks at each entry as an app's compiler would, and names every export of it: a new one is checked without a word. */
export function consumerOf(appDirectory: string, entries: readonly string[]): Consumer {
  const names: string[] = [];
  const lines = [
    "function isNotAny<T>(_: 0 extends 1 & T ? false : true): void {}",
    "// @ts-expect-error An any is found.",
    "isNotAny<ReturnType<typeof JSON.parse>>(true);",
    ...entries.map((entry, index) => `import type * as entry${index} from ${JSON.stringify(entry)};`),
  ];
  for (const [index, entry] of entries.entries()) {
    for (const { name, isValue, parameters } of exportsOf(appDirectory, entry)) {
      names.push(name);
      const type = `entry${index}.${name}`;
      if (isValue) lines.push(`isNotAny<typeof ${type}>(true);`);
      else
        lines.push(
          `isNotAny<${type}${parameters === 0 ? "" : `<${Array(parameters).fill("never").join(", ")}>`}>(true);`,
        );
    }
  }
  return { source: `${lines.join("\n")}\n`, names };
}

function exportsOf(appDirectory: string, entry: string) {
  const containing = join(appDirectory, "index.mts");
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    skipLibCheck: true,
    types: [],
  };
  const { resolvedModule } = ts.resolveModuleName(
    entry,
    containing,
    options,
    ts.sys,
    undefined,
    undefined,
    ts.ModuleKind.ESNext,
  );
  if (resolvedModule === undefined) throw new Error(`${entry} can't be resolved`);
  const program = ts.createProgram([resolvedModule.resolvedFileName], options);
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(resolvedModule.resolvedFileName);
  const module = file && checker.getSymbolAtLocation(file);
  if (module === undefined) throw new Error(`${entry} has no declarations`);
  return checker.getExportsOfModule(module).map((symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const isValue = (target.flags & ts.SymbolFlags.Value) !== 0;
    const parameters = checker.getDeclaredTypeOfSymbol(target) as ts.InterfaceType;
    return {
      name: symbol.name,
      isValue,
      parameters: parameters.typeParameters?.length ?? parameters.aliasTypeArguments?.length ?? 0,
    };
  });
}
