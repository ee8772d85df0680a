import type { Command } from "commander";
import { type BudgetUse, viewContext } from "../../people/context-view.js";
import { type CommandParts, openWorkspace } from "../command-context.js";
import { firstCharacters, size } from "../format.js";

export function addContextCommand(program: Command, parts: CommandParts): void {
  const { terminal, texts } = parts;
  program
    .command("context")
    .description(texts.context)
    .helpOption("-h, --help", texts.help)
    .option("--session <id>", texts.contextSession)
    .option("--query <text>", texts.contextQuery)
    .action(async ({ session, query }: { session?: string; query?: string }, command: Command) => {
      const { workspace } = await openWorkspace(command, parts);
      const { context, uses, sharedAssetBudget } = await viewContext(workspace, {
        sessionId: session,
        query,
      });
      if (terminal.asJson) {
        const { text, segments } = context;
        return terminal.json({ text, segments, budgets: uses, sharedAssetBudget });
      }
      terminal.content(context.text === "" ? texts.nothingInjected : context.text);
      terminal.line();
      const { kind, used, budget, included, leftOut } = texts.columns;
      terminal.table(
        [kind, used, budget, included, leftOut],
        uses.map((use) => [
          texts.kinds[use.kind],
          size(use.bytes),
          use.budget === undefined ? texts.appDecides : size(use.budget),
          String(use.included.length),
          String(use.leftOut.length),
        ]),
      );
      showLeftOut(uses, parts);
    });
}

function showLeftOut(uses: readonly BudgetUse[], { terminal, texts }: CommandParts): void {
  const leftOut = uses.flatMap(({ kind, leftOut: files }) => files.map((file) => ({ kind, ...file })));
  if (leftOut.length === 0) return;
  terminal.line();
  terminal.line(texts.leftOut);
  for (const { kind, id, reason } of leftOut) {
    const name = kind === "memory" ? firstCharacters(id, 8) : id;
    terminal.content(`- ${texts.kinds[kind]} ${name}: ${texts.reasons[reason]}`);
  }
}
