import type { Command } from "commander";
import { type DoctorTexts, doctorTexts } from "../../locales/people-doctor.js";
import { exitCodes } from "../cli-fault.js";
import { type CommandParts, openWorkspace } from "../command-context.js";
import type { Finding } from "../doctor/finding.js";
import { cureText, findingText } from "../doctor/finding-text.js";

const colours = { fault: "red", warning: "yellow", note: "dim" } as const;

export function addDoctorCommand(program: Command, parts: CommandParts): void {
  const { terminal, locale, texts } = parts;
  program
    .command("doctor")
    .description(texts.doctor)
    .helpOption("-h, --help", texts.help)
    .action(async (_options: unknown, command: Command) => {
      const warnings: string[] = [];
      const onWarning = (message: string) => void warnings.push(message);
      const { app, workspace } = await openWorkspace(command, parts, { onWarning });
      // It brings the scanner for credentials, which no other command needs.
      const { examine } = await import("../doctor/examine.js");
      const { user: userId } = command.optsWithGlobals<{ user?: string }>();
      const doctor = doctorTexts[locale];
      const { folder, findings, answers } = await examine({
        app,
        workspace,
        userId,
        warnings: () => warnings,
        texts: doctor,
      });
      const faults = findings.filter(({ level }) => level === "fault").length;
      const warned = findings.filter(({ level }) => level === "warning").length;
      if (faults > 0) parts.setExitCode(exitCodes.notDone);
      if (terminal.asJson) {
        return terminal.json({
          folder,
          faults,
          findings: findings.map((one) => ({
            ...one,
            text: findingText(one, doctor),
            cure: cureText(one, doctor),
          })),
          answers,
        });
      }
      for (const one of findings) showFinding(one, doctor, parts);
      terminal.line(
        terminal.paint(
          faults > 0 ? "red" : "green",
          faults + warned === 0 ? doctor.fine(folder) : doctor.summary(faults, warned),
        ),
      );
      for (const { question, lines } of answers) {
        terminal.line();
        terminal.line(terminal.paint("bold", question));
        for (const line of lines) terminal.content(`- ${line}`);
      }
    });
}

function showFinding(one: Finding, texts: DoctorTexts, { terminal }: CommandParts): void {
  const level = terminal.paint(colours[one.level], texts.levels[one.level]);
  terminal.line(`${level}  ${findingText(one, texts)}`);
  const cure = cureText(one, texts);
  if (cure !== undefined) terminal.line(`    ${texts.cure} ${cure}`);
}
