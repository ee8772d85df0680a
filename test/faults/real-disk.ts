import { execFile, execFileSync } from "node:child_process";
import { chmod, mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";

const run = promisify(execFile);

/** Whether this process may do what a test needs: mount, become another user, have process ids of its own. */
function may(command: string, ...given: string[]): boolean {
  try {
    execFileSync(command, given, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

export const mayMount = may("unshare", "--mount", "sh", "-c", "mount -t tmpfs -o size=64k tmpfs /mnt");
const mayUnshare = may("unshare", "--pid", "--fork", "true");
export const mayBecomeNobody = may("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "true");

/** Put before a child: it runs as a user who owns nothing. */
export const asNobody = 'exec setpriv --reuid=65534 --regid=65534 --clear-groups "$0" "$@";';
/** Put before a child: it has the process id 1 of a container. */
export const inContainer = mayUnshare ? 'exec unshare --pid --fork --kill-child "$0" "$@";' : "";

/** A small file system of its own; gives its folder, and what changes it while it is mounted. */
export async function smallDisk(size: string) {
  const dir = join(await temporaryFolder(), "disk");
  await mkdir(dir);
  await run("mount", ["-t", "tmpfs", "-o", `size=${size},mode=700`, "tmpfs", dir]);
  onTestFinished(() => run("umount", ["--lazy", dir]).then(() => {}));
  return { dir, remount: (options: string) => run("mount", ["-o", `remount,${options}`, dir]) };
}

/** Writes until there is no room at all. */
export async function fill(path: string): Promise<void> {
  const file = await open(path, "w");
  try {
    for (let size = 65_536; size >= 1; size = Math.floor(size / 2)) {
      while ((await file.write(Buffer.alloc(size)).catch(() => ({ bytesWritten: 0 }))).bytesWritten > 0);
    }
  } finally {
    await file.close();
  }
}

/** A folder that everybody may enter, and that is the given user's own. */
export async function openTo(path: string): Promise<void> {
  await chmod(path, 0o755);
}
