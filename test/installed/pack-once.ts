import type { TestProject } from "vitest/node";
import { App } from "../package/app.js";
import { type PackedFolder, pack } from "../package/packed.js";
import { addUses, neededByUses } from "./uses.js";

type Packed = Omit<PackedFolder, "remove">;

declare module "vitest" {
  export interface ProvidedContext {
    /** What all checks install. */
    readonly packed: Packed;
    /** An app with it and with the versions that this repository has, for checks that change neither. */
    readonly appDirectory: string;
  }
}

export default async function packOnce({ provide }: TestProject): Promise<() => Promise<void>> {
  const { remove, ...packed } = await pack();
  provide("packed", packed);
  const app = await App.install(packed, "app", neededByUses);
  await addUses(app);
  provide("appDirectory", app.directory);
  return remove;
}
