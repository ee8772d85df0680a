import type { TestProject } from "vitest/node";
import { type PackedFolder, pack } from "../package/packed.js";

type Packed = Omit<PackedFolder, "remove">;

declare module "vitest" {
  export interface ProvidedContext {
    /** What all checks install. */
    readonly packed: Packed;
  }
}

export default async function packOnce({ provide }: TestProject): Promise<() => Promise<void>> {
  const { remove, ...packed } = await pack();
  provide("packed", packed);
  return remove;
}
