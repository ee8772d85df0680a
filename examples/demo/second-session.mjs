/** The second session: what goes into the prompt, against its budgets, and the answer to one question. */
import { openChat } from "./chat.mjs";
import { bar, pad, paint, say } from "./screen.mjs";

/** Gives the answer. */
export async function playSecondSession({ connection, openWorkspace, budgets, question, texts }) {
  const workspace = openWorkspace(connection.create({ maxRetries: 1 }));
  const { chain, memory } = openChat(connection.model, workspace);
  const { segments } = await workspace.assembleContext({ sessionId: memory.sessionId });
  const rows = [
    ["rules", budgets.assetBudget],
    ["skills", budgets.assetBudget],
    ["memory", budgets.memoryBudget],
  ];
  for (const [kind, budget] of rows) {
    const segment = segments.find((candidate) => candidate.kind === kind);
    say(`  ${pad(texts.segments[kind], 8)}${bar(segment?.bytes ?? 0, budget)}  ${describe(segment, texts)}`);
  }
  const { response } = await chain.invoke({ input: question });
  say(`\n  ${paint("bold", texts.user)}: ${question}`);
  say(`  ${paint("bold", texts.assistant)}: ${response}`);
  await workspace.close();
  return response;
}

function describe(segment, texts) {
  if (segment === undefined) return texts.none;
  return segment.kind === "memory" ? texts.memories(segment.sources.length) : segment.sources.join(", ");
}
