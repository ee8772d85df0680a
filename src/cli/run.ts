import { CommanderError } from "commander";
import { faultName, MemoryError } from "../errors.js";
import { type CliTexts, cliTexts } from "../locales/people-cli.js";
import { peopleErrorTexts } from "../locales/people-errors.js";
import { CliFault, exitCodes } from "./cli-fault.js";
import { localeOf } from "./locale.js";
import { makeProgram } from "./program.js";
import { Terminal } from "./terminal.js";

/** Runs the command as it was called. Gives its exit status: 0 done, 1 not done or faults found, 2 called wrongly. */
export async function runCli(host: NodeJS.Process): Promise<number> {
  const args = host.argv.slice(2);
  const locale = localeOf(args, host.env);
  const texts = cliTexts[locale];
  const terminal = new Terminal(host, { asJson: isSet(args, "--json"), noColor: isSet(args, "--no-color") });
  // A reader that has had enough, such as `head`, is no fault.
  host.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") host.exit(0);
  });
  let exitCode: number = exitCodes.done;
  const program = makeProgram({
    host,
    terminal,
    locale,
    texts,
    setExitCode: (code) => {
      exitCode = code;
    },
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    const isWithoutCommand = error instanceof CommanderError && error.code === "commander.help";
    if (isWithoutCommand && !terminal.asJson) {
      program.outputHelp();
      return exitCodes.calledWrongly;
    }
    const { code, message, status } = describe(error, texts, peopleErrorTexts[locale]);
    if (terminal.asJson) terminal.json({ error: { code, message } });
    else terminal.error(texts.error(message));
    return status;
  } finally {
    terminal.endQuestions();
  }
}

/** Options are looked for before the parser has them, since its own errors need them. */
function isSet(args: readonly string[], option: string): boolean {
  const end = args.indexOf("--");
  return args.slice(0, end === -1 ? undefined : end).includes(option);
}

function describe(error: unknown, texts: CliTexts, errorTexts: Readonly<Record<string, string>>) {
  if (error instanceof CliFault) {
    return { code: error.code, message: error.message, status: error.exitCode };
  }
  if (error instanceof CommanderError) {
    const said = texts.usageErrors[error.code] ?? error.message.replace(/^error: /u, "");
    return { code: "ERR_USAGE", message: `${said} ${texts.seeHelp}`, status: exitCodes.calledWrongly };
  }
  if (MemoryError.isInstance(error)) {
    const said = errorTexts[error.code] ?? error.message;
    const message = error.code === "ERR_MEMORY_SECRET" ? `${said} ${texts.secretHint}` : said;
    return { code: error.code, message, status: exitCodes.notDone };
  }
  const { code } = (error ?? {}) as { code?: unknown };
  const isOption = typeof code === "string" && code.startsWith("ERR_OPTION_");
  return {
    code: faultName(error),
    message: isOption ? (error as Error).message : texts.failed(faultName(error)),
    status: isOption ? exitCodes.calledWrongly : exitCodes.notDone,
  };
}
