export { AssetFolder } from "./asset-folder.js";
export type { LoadedAsset } from "./loaded-asset.js";
