import { join } from "node:path";
import { build } from "esbuild";
import webpack from "webpack";
import type { App } from "../package/app.js";

export interface BundleOptions {
  /** Relative to the app. */
  readonly entry: string;
  /** Absolute; without `.map` beside it. */
  readonly file: string;
  readonly format: "esm" | "cjs";
  readonly external?: readonly string[];
  readonly isMinified?: boolean;
  /** Put before all else. */
  readonly banner?: string;
}

/** Bytes of a bundle by the package, or by the file where it is ours, that they come from. */
export type Shares = ReadonlyMap<string, number>;

export async function withEsbuild(app: App, options: BundleOptions): Promise<Shares> {
  const { entry, file, format, external = [], isMinified = false, banner } = options;
  const { metafile } = await build({
    absWorkingDir: app.directory,
    entryPoints: [entry],
    outfile: file,
    format,
    external: [...external],
    minify: isMinified,
    bundle: true,
    platform: "node",
    target: "node20",
    metafile: true,
    logLevel: "silent",
    ...(banner !== undefined && { banner: { js: banner } }),
  });
  const shares = new Map<string, number>();
  for (const output of Object.values(metafile.outputs)) {
    for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
      const [, name = "the app"] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input) ?? [];
      shares.set(name, (shares.get(name) ?? 0) + bytesInOutput);
    }
  }
  return shares;
}

/** As Next.js bundles a route handler, but for the minifier, which takes half a minute. */
export async function withWebpack(app: App, options: BundleOptions): Promise<void> {
  const { entry, file, format, external = [] } = options;
  const isModule = format === "esm";
  const compiler = webpack({
    mode: "production",
    target: "node20",
    context: app.directory,
    entry: `./${entry}`,
    devtool: false,
    externals: external.map((name) => new RegExp(`^${name}(?:/|$)`)),
    externalsType: isModule ? "module" : "commonjs2",
    optimization: { minimize: false },
    experiments: { outputModule: isModule },
    output: {
      path: join(file, ".."),
      filename: file.split("/").at(-1) as string,
      chunkFilename: `[id].${file.split(".").at(-1)}`,
      library: { type: isModule ? "module" : "commonjs2" },
      chunkFormat: isModule ? "module" : "commonjs",
    },
  });
  const stats = await new Promise<webpack.Stats | undefined>((resolve, reject) =>
    compiler.run((error, result) => (error ? reject(error) : resolve(result))),
  );
  const errors = stats?.toJson({ all: false, errors: true }).errors ?? [];
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("\n"));
}
