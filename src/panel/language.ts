import type { LocaleName } from "../locales/index.js";
import type { MemoryWorkspace } from "../workspace/index.js";

/** What the person chose (`?lang=`), else what the app says, else what the browser asks for, else the workspace's. */
export function languageOf(
  request: Request,
  locale: LocaleName | undefined,
  workspace: MemoryWorkspace,
): LocaleName {
  const chosen = new URL(request.url).searchParams.get("lang");
  return (
    localeNamed(chosen ?? "") ??
    locale ??
    localeAccepted(request.headers.get("accept-language") ?? "") ??
    workspace.parts.options.locale
  );
}

/** The first of the browser's languages, in its order, that there is. */
function localeAccepted(header: string): LocaleName | undefined {
  return header
    .split(",")
    .map((part) => {
      const [tag = "", ...parameters] = part.trim().split(";");
      const quality = parameters
        .map((one) => /^\s*q=([\d.]+)/u.exec(one)?.[1])
        .find((one) => one !== undefined);
      return { tag, quality: Number(quality ?? 1) };
    })
    .sort((left, right) => right.quality - left.quality)
    .map(({ tag }) => localeNamed(tag))
    .find((name) => name !== undefined);
}

/** Chinese or English by its language tag, whatever the region. */
function localeNamed(tag: string): LocaleName | undefined {
  if (/^zh(?:-|$)/iu.test(tag)) return "zh-CN";
  return /^en(?:-|$)/iu.test(tag) ? "en" : undefined;
}
