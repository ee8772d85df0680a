import { type LocaleName, locales } from "../locales/index.js";

/** `--locale`, else the language of the environment, as other commands take it; English where that is neither. */
export function localeOf(args: readonly string[], env: NodeJS.ProcessEnv): LocaleName {
  const index = args.findIndex((one) => one === "--locale" || one.startsWith("--locale="));
  const argument = args[index]?.includes("=") ? args[index]?.split("=")[1] : args[index + 1];
  if (index !== -1 && argument !== undefined && Object.hasOwn(locales, argument))
    return argument as LocaleName;
  const language = [env.LC_ALL, env.LC_MESSAGES, env.LANG].find((one) => one !== undefined && one !== "");
  return /^zh/iu.test(language ?? "") ? "zh-CN" : "en";
}
