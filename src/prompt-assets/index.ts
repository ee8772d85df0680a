export { AssetFolder, type AssetFolderOptions } from "./asset-folder.js";
export type { LoadedAsset } from "./loaded-asset.js";
