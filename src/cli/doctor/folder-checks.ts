import { access, constants, stat } from "node:fs/promises";
import { faultName } from "../../errors.js";
import { type Finding, finding } from "./finding.js";

/** Whether the folder of all this can be used, and by nobody else. */
export async function checkFolder(path: string): Promise<Finding[]> {
  try {
    const status = await stat(path);
    if (!status.isDirectory()) return [finding("fault", "folder-unusable", { path, reason: "ENOTDIR" })];
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    const isOpen = process.platform !== "win32" && (status.mode & 0o007) !== 0;
    return isOpen ? [finding("note", "folder-open-to-others", { path })] : [];
  } catch (error) {
    const reason = faultName(error);
    return [
      reason === "ENOENT"
        ? finding("note", "folder-missing", { path })
        : finding("fault", "folder-unusable", { path, reason }),
    ];
  }
}
