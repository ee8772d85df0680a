import { spawn } from "node:child_process";

/** How long a starter that fails may take to say so; one that still runs then has opened something. */
const patienceMs = 2000;

/** Opens a folder or a link with what the person has for it. Gives whether that could be started. No shell is involved. */
export function openOutside(target: string, platform: NodeJS.Platform): Promise<boolean> {
  const command = starters[platform] ?? "xdg-open";
  return new Promise((resolve) => {
    const child = spawn(command, [target], { detached: true, stdio: "ignore" });
    const timer = setTimeout(() => resolve(true), patienceMs);
    const finish = (opened: boolean) => {
      clearTimeout(timer);
      resolve(opened);
    };
    child.once("error", () => finish(false));
    // The Explorer of Windows ends with 1 also where all went well.
    child.once("exit", (code) => finish(code === 0 || platform === "win32"));
    child.unref();
  });
}

const starters: Partial<Record<NodeJS.Platform, string>> = { darwin: "open", win32: "explorer.exe" };
