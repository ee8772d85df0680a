import type { ContextTexts } from "../locales/context-texts.js";
import type { LoadedAsset } from "../prompt-assets/index.js";
import { utf8Length } from "../text/index.js";
import { type ContextSegment, segment } from "./segment.js";

interface MadeSegment {
  readonly kind: "rules" | "skills";
  readonly budget: number;
  readonly texts: ContextTexts;
  readonly segment: ContextSegment | undefined;
}

/** What was last made of a list: it is made for every model call, and files rarely change in between. */
const latest = new WeakMap<readonly LoadedAsset[], MadeSegment>();

/**
 * The rules or the skills. The first file that would pass the budget and all after it are left out, also a later one that
 * would fit: which files count is then plain to see from their order.
 */
export function assetSegment(
  kind: "rules" | "skills",
  assets: readonly LoadedAsset[],
  budget: number,
  texts: ContextTexts,
): ContextSegment | undefined {
  const known = latest.get(assets);
  if (known?.kind === kind && known.budget === budget && known.texts === texts) return known.segment;
  const segment = makeSegment(kind, assets, budget, texts);
  latest.set(assets, { kind, budget, texts, segment });
  return segment;
}

function makeSegment(
  kind: "rules" | "skills",
  assets: readonly LoadedAsset[],
  budget: number,
  texts: ContextTexts,
): ContextSegment | undefined {
  const usable = withText(assets);
  if (usable.length === 0) return undefined;
  const parts = usable.map((asset) => `\n\n## ${asset.name}\n${asset.body}`);
  const heading = headingOf(kind, texts);

  let bytes = utf8Length(heading);
  let fitting = -1;
  for (let count = 0; count <= parts.length; count++) {
    const omitted = parts.length - count;
    if (bytes + utf8Length(omissionNote(omitted, texts)) <= budget) fitting = count;
    bytes += utf8Length(parts[count] ?? "");
  }
  if (fitting < 0) return undefined;
  const omitted = parts.length - fitting;
  const text = heading + parts.slice(0, fitting).join("") + omissionNote(omitted, texts);
  const sources = usable.slice(0, fitting).map((asset) => asset.filename);
  return segment(kind, text, omitted, sources);
}

/** What it takes to say at least that there are such files and that all are left out. */
export function leastBytes(
  kind: "rules" | "skills",
  assets: readonly LoadedAsset[],
  texts: ContextTexts,
): number {
  const count = withText(assets).length;
  return count === 0 ? 0 : utf8Length(headingOf(kind, texts) + omissionNote(count, texts));
}

function headingOf(kind: "rules" | "skills", texts: ContextTexts): string {
  return kind === "rules" ? texts.rulesHeading : texts.skillsHeading;
}

function omissionNote(omitted: number, texts: ContextTexts): string {
  return omitted === 0 ? "" : `\n\n${texts.filesOmitted(omitted)}`;
}

/** A file without text is in lists only. */
function withText(assets: readonly LoadedAsset[]): LoadedAsset[] {
  return assets.filter((asset) => asset.body !== "");
}
