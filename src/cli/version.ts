// biome-ignore lint/correctness/useImportExtensions: the package's own file, taken as text
import manifest from "../../package.json?raw";

/** Of the package that this command is part of. */
export function version(): string {
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
