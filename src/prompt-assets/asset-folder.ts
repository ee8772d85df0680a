import { type Dirent, promises as fs, lstatSync, statSync } from "node:fs";
import { join } from "node:path";
import { MemoryError } from "../errors.js";
import { errorCode, isSettled, stampOf } from "../files/index.js";
import type { Locale } from "../locales/index.js";
import type { Reporter } from "../log.js";
import { oneLine } from "../text/index.js";
import { decode, UnusableFile } from "./decode.js";
import { type AssetReading, type LoadedAsset, readAsset } from "./loaded-asset.js";
import { type FileStart, readStart } from "./read-start.js";

export interface AssetFolderOptions {
  readonly directory: string;
  readonly kind: "rules" | "skills";
  /** Bytes of one file that may go into the prompt, with the mark where it is cut. */
  readonly fileBudget: number;
  readonly reporter: Reporter;
  readonly locale: Locale;
}

interface KnownFile {
  /** `undefined` where the file had just been changed: it is read again. */
  readonly stamp: string | undefined;
  readonly start: FileStart;
  readonly reading: AssetReading;
}

/** So many files are read at a time: a folder of thousands must not use up the file handles of the process. */
const filesAtATime = 64;

const problemTexts = {
  unclosed: "has no closing --- for its frontmatter: all of it is taken as body",
  malformed: "has a line in its frontmatter that is no key: value: all of it is taken as body",
} as const;

/**
 * The folder of the user's rules or skills. Every call reads the disk again, so that an edit is in the very next model
 * call. A file that can't be used is skipped with one warning that names it, and the others go on.
 */
export class AssetFolder {
  readonly #options: AssetFolderOptions;
  /** What the last load read and made of it. */
  #known = new Map<string, KnownFile>();
  /** Files that a warning names: when one is fine again or gone, its next fault is worth a new warning. */
  #faulty = new Set<string>();

  /** What the last load gave; the same list while no file changes. */
  #loaded: readonly LoadedAsset[] = [];
  #listed: { readonly stamp: string; readonly filenames: readonly string[] } | undefined;

  constructor(options: AssetFolderOptions) {
    this.#options = options;
  }

  /** Makes the folder where it is missing (0700) and gives its path. */
  async directory(): Promise<string> {
    await fs.mkdir(this.#options.directory, { recursive: true, mode: 0o700 });
    return this.#options.directory;
  }

  /**
   * All usable files, by file name; the same list while none changes. Makes a missing folder; where that is not possible
   * there are none. Never rejects.
   */
  async load(): Promise<readonly LoadedAsset[]> {
    const filenames = await this.#filenames();
    const faulty = new Set<string>();
    const readings = new Map<string, AssetReading>();
    const changed: string[] = [];
    for (const filename of filenames) {
      const reading = this.#unchanged(filename);
      if (reading === undefined) changed.push(filename);
      else readings.set(filename, reading);
    }
    for (let from = 0; from < changed.length; from += filesAtATime) {
      const batch = changed.slice(from, from + filesAtATime);
      await Promise.all(
        batch.map(async (filename) => {
          const reading = await this.#read(filename, faulty);
          if (reading !== undefined) readings.set(filename, reading);
        }),
      );
    }
    for (const [filename, { problem }] of readings) {
      if (problem !== undefined) this.#warn(filename, faulty, problemTexts[problem]);
    }
    this.#forget(filenames, faulty);
    const assets = filenames.flatMap((filename) => readings.get(filename)?.asset ?? []);
    const isSame =
      assets.length === this.#loaded.length && assets.every((asset, index) => asset === this.#loaded[index]);
    if (!isSame) this.#loaded = assets;
    return this.#loaded;
  }

  /** Whether there is such a file, usable or not. */
  async has(filename: string): Promise<boolean> {
    return (await this.#filenames()).includes(filename);
  }

  /**
   * The whole text of a file, frontmatter included.
   *
   * @throws MemoryError `ERR_ASSET_NOT_FOUND` where there is no such file in the folder, or it is no UTF-8 text.
   */
  async read(filename: string): Promise<string> {
    // Only names that the listing gives: no path, link or other stream of a file gets through.
    if (!(await this.has(filename))) throw this.#notFound(filename, "there is no such file");
    try {
      return decode(await fs.readFile(join(this.#options.directory, filename)));
    } catch (error) {
      throw this.#notFound(filename, reasonOf(error));
    }
  }

  async #filenames(): Promise<readonly string[]> {
    const cause = `${this.#options.kind}: folder`;
    try {
      const filenames = await this.#listing();
      this.#options.reporter.recovered(cause);
      return filenames;
    } catch (error) {
      // ENOTDIR and EEXIST: a file stands in the way, which its owner sees in the list.
      const isQuiet = ["ENOENT", "ENOTDIR", "EEXIST"].includes(errorCode(error) ?? "");
      if (!isQuiet) {
        this.#options.reporter.warnOnce(
          cause,
          `the folder of ${this.#options.kind} can't be used (${reasonOf(error)}); going on without`,
        );
      }
      return [];
    }
  }

  /** A folder has another time as soon as a name comes or goes: unchanged, it is not listed anew. */
  async #listing(): Promise<readonly string[]> {
    const { directory } = this.#options;
    try {
      // Taken before listing, as a file's is before reading. The folder may be a link, whose own time never changes.
      const stats = statSync(directory, { bigint: true });
      const stamp = stampOf(stats);
      if (this.#listed?.stamp === stamp) return this.#listed.filenames;
      const entries = await fs.readdir(directory, { withFileTypes: true });
      const filenames = entries
        .filter(isAssetFile)
        .map((entry) => entry.name)
        .sort(byCodeUnit);
      this.#listed = isSettled(stats) ? { stamp, filenames } : undefined;
      return filenames;
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw error;
      await this.directory();
      return [];
    }
  }

  /**
   * Every call asks the disk for the state of each file; what was made of one that is as it was stands. Asking is
   * synchronous: some 4 µs a file, and 30 by way of the thread pool; a turn waits for this.
   */
  #unchanged(filename: string): AssetReading | undefined {
    const known = this.#known.get(filename);
    if (known?.stamp === undefined) return undefined;
    try {
      const stats = lstatSync(join(this.#options.directory, filename), { bigint: true });
      return stampOf(stats) === known.stamp ? known.reading : undefined;
    } catch {
      return undefined; // It is gone, or can't be looked at: reading it says why.
    }
  }

  /** One whose bytes are as they were isn't parsed anew. `undefined`, with a warning, where the file can't be used. */
  async #read(filename: string, faulty: Set<string>): Promise<AssetReading | undefined> {
    const { directory, fileBudget, locale } = this.#options;
    const path = join(directory, filename);
    try {
      // The stamp is taken before reading: a change in between makes it differ next time, never look known.
      const stats = lstatSync(path, { bigint: true });
      const start = await readStart(path, fileBudget);
      const known = this.#known.get(filename);
      const isSame = known?.start.bytes === start.bytes && known.start.content.equals(start.content);
      const reading = isSame ? known.reading : readAsset(filename, start, fileBudget, locale.context);
      this.#known.set(filename, {
        stamp: isSettled(stats) ? stampOf(stats) : undefined,
        // A copy, since the buffer that was read into is larger than most files.
        start: isSame ? known.start : { ...start, content: Buffer.from(start.content) },
        reading,
      });
      return reading;
    } catch (error) {
      this.#known.delete(filename);
      this.#warn(filename, faulty, `is skipped: ${reasonOf(error)}`);
      return undefined;
    }
  }

  #warn(filename: string, faulty: Set<string>, reason: string): void {
    faulty.add(filename);
    this.#options.reporter.warnOnce(
      this.#causeOf(filename),
      `${this.#options.kind}/${oneLine(filename)} ${reason}`,
    );
  }

  #forget(filenames: readonly string[], faulty: Set<string>): void {
    const present = new Set(filenames);
    for (const filename of this.#known.keys()) {
      if (!present.has(filename)) this.#known.delete(filename);
    }
    for (const filename of this.#faulty) {
      if (!faulty.has(filename)) this.#options.reporter.recovered(this.#causeOf(filename));
    }
    this.#faulty = faulty;
  }

  #causeOf(filename: string): string {
    return `${this.#options.kind}: ${filename}`;
  }

  #notFound(filename: string, reason: string): MemoryError {
    return new MemoryError(
      "ERR_ASSET_NOT_FOUND",
      `${this.#options.kind}/${oneLine(filename)} can't be read: ${reason}`,
    );
  }
}

/** Top level only; hidden files, folders, symbolic links and what editors leave behind (`x.md~`, `x.md.tmp`) are not. */
function isAssetFile(entry: Dirent): boolean {
  return entry.isFile() && !entry.name.startsWith(".") && entry.name.toLowerCase().endsWith(".md");
}

/** By code unit: the same order on every machine, whatever its locale or disk. */
function byCodeUnit(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Codes only: messages of the file system hold whole paths. */
function reasonOf(error: unknown): string {
  if (error instanceof UnusableFile) return error.message;
  const code = errorCode(error);
  return code === "ENOENT" ? "it is gone, or its name is not UTF-8 (ENOENT)" : (code ?? "unknown error");
}
