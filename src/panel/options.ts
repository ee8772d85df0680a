import { optionError, unknownOptionError } from "../errors.js";
import { type LocaleName, locales } from "../locales/index.js";
import type { MemoryWorkspace } from "../workspace/index.js";
import { functionOf, nonEmptyString, type OptionCheck } from "../workspace/index.js";

/** Who asks, as the app's own sign-in knows them. */
export interface PanelIdentity {
  /**
   * Whose memories are shown. Left out: the workspace's own, for an app of one person. A key that is there and holds no
   * non-empty string is refused, since that is what a missing sign-in gives.
   */
  readonly userId?: string;
  /**
   * Whether rules, skills and their switches are shown and may be changed. They are the same for all users, so this is
   * for the owner of the app.
   *
   * @default false
   */
  readonly canManageAssets?: boolean | undefined;
}

export interface PanelOptions {
  /**
   * Says who asks, from the request's cookie or header; `null` refuses. Asked for every request, the page's files
   * included; it must leave the body unread. What it throws refuses too.
   */
  readonly authorize: (request: Request) => PanelIdentity | null | Promise<PanelIdentity | null>;
  /**
   * The path under which the handler is mounted, such as `/settings/memory`. Needed where the framework cuts it off before
   * the handler sees it (Hono's `mount`).
   *
   * @default read off the request
   */
  readonly basePath?: string | undefined;
  /**
   * The language of the page.
   *
   * @default the browser's, where it is Chinese or English, else the workspace's
   */
  readonly locale?: LocaleName | undefined;
  /**
   * Origins that the page is reached by, such as `https://app.example`, where a proxy changes the `Host` header.
   *
   * @default the request's own
   */
  readonly origins?: readonly string[] | undefined;
  /**
   * Opens a folder on the person's own machine; for servers that run there. With it the page has a button for the folders
   * of rules and skills.
   *
   * @default none: no button
   */
  readonly openFolder?: ((path: string) => void | Promise<void>) | undefined;
}

const checks: Readonly<Record<keyof PanelOptions, OptionCheck>> = {
  authorize: functionOf("a function that says who asks; without it nothing is served"),
  basePath: (option, value) => {
    nonEmptyString(option, value);
    if (!/^\/[^?#]*$/u.test(value as string)) {
      throw optionError("ERR_OPTION_RANGE", option, "a path that begins with /", value);
    }
  },
  locale: (option, value) => {
    const expected = Object.keys(locales)
      .map((name) => JSON.stringify(name))
      .join(" or ");
    if (typeof value !== "string") throw optionError("ERR_OPTION_TYPE", option, expected, value);
    if (!Object.hasOwn(locales, value)) throw optionError("ERR_OPTION_RANGE", option, expected, value);
  },
  origins: (option, value) => {
    const expected = "an array of origins such as https://app.example";
    if (!Array.isArray(value)) throw optionError("ERR_OPTION_TYPE", option, expected, value);
    if (!value.every(isOrigin)) throw optionError("ERR_OPTION_RANGE", option, expected, value);
  },
  openFolder: functionOf("a function that opens a folder"),
};

/** @throws TypeError or RangeError with a `code`. */
export function checkPanelOptions(workspace: MemoryWorkspace, options: PanelOptions): void {
  if (typeof (workspace as { assembleContext?: unknown } | undefined)?.assembleContext !== "function") {
    throw optionError("ERR_OPTION_TYPE", "workspace", "a MemoryWorkspace", workspace);
  }
  if (typeof options !== "object" || options === null) {
    throw optionError("ERR_OPTION_TYPE", "options", "an object with authorize", options);
  }
  for (const [option, value] of Object.entries(options)) {
    if (!Object.hasOwn(checks, option)) throw unknownOptionError(option, Object.keys(checks));
    if (value !== undefined) checks[option as keyof PanelOptions](option, value);
  }
  if (options.authorize === undefined) checks.authorize("authorize", undefined);
}

function isOrigin(value: unknown): boolean {
  return typeof value === "string" && URL.canParse(value) && new URL(value).origin === value;
}
