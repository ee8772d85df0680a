import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";

/** Gives a function that makes a fresh folder; all are removed after each test. */
export function useTemporaryFolder(): () => Promise<string> {
  const folders: string[] = [];
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
  });
  return async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "cross-session-files-")));
    folders.push(folder);
    return folder;
  };
}
