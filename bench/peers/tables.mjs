import { contenders } from "./contenders.mjs";
import { megabytes } from "./texts.mjs";
import { wins } from "./wins.mjs";

/** From this load average on something else took the cores' time. */
const busy = 1.5;

/** The figures as Markdown, in the language of `text`. */
export function tables(results, text) {
  const { recall, imports, install, updates, kills } = results;
  return [
    where(results, text),
    turnTable(results, text),
    recall && [
      text.captions.recall(recall),
      table(
        text.recallHead(recall.budgets),
        Object.keys(text.recallRows)
          .filter((id) => recall.rows[id])
          .map((id) => [text.recallRows[id], ...recall.rows[id].map((share) => (100 * share).toFixed(1))]),
      ),
    ],
    imports && install && [text.captions.package(install.base), packageTable(imports, install, text)],
    updates && kills && [text.captions.disk, diskTable(updates, kills, text), text.inMemory],
    words(results, text),
    [text.unmeasuredHead, text.unmeasured.map((line) => `- ${line}`).join("\n")],
  ]
    .flat()
    .filter((part) => part !== undefined)
    .join("\n\n");
}

function where(results, text) {
  const parts = Object.values(results);
  const dates = [...new Set(parts.map(({ date }) => date))].sort().join(", ");
  const loaded = Object.keys(text.partNames).filter((name) => results[name]?.load > busy);
  const names = text.join(loaded.map((name) => text.partNames[name]));
  return text.captions.where(parts[0], dates, loaded.length === 0 ? "" : text.captions.loaded(names));
}

function turnTable({ counts, times }, text) {
  if (counts === undefined) return undefined;
  const bare = counts.rows.bare;
  const bytesOf = ({ bytes, ownBytes }) => bytes + ownBytes;
  const spread = (value) =>
    value === undefined
      ? "—"
      : times.repetitions === 1
        ? value.median.toFixed(2)
        : `${value.median.toFixed(2)} (${value.least.toFixed(2)} … ${value.most.toFixed(2)})`;
  const parts = ({ bytes, ownBytes }, unit) =>
    ownBytes === 0 ? "" : ` (${(bytes / unit).toFixed(1)} + ${(ownBytes / unit).toFixed(1)})`;
  const rows = contenders
    .filter(({ id }) => counts.rows[id])
    .map(({ id, learns }) => {
      const { long, short } = counts.rows[id];
      const time = times?.rows[id];
      return [
        text.name(id),
        learns ? text.yes : text.no,
        long.ownCalls,
        long.embeddings,
        `${(bytesOf(long) / bytesOf(bare.long)).toFixed(1)}${parts(long, bytesOf(bare.long))}`,
        short.ownCalls,
        (bytesOf(short) / bytesOf(bare.short)).toFixed(1),
        spread(time?.turn0),
        spread(time?.turn20),
        time === undefined ? "—" : time.processor0.median.toFixed(2),
        time === undefined ? "—" : time.firstToken.median.toFixed(2),
        time === undefined ? "—" : time.held,
      ];
    });
  const notes = text.turnNotes.map((line) => `- ${line}`).join("\n");
  return [text.captions.turns(counts, times), table(text.turnHead, rows), notes];
}

function packageTable(imports, install, text) {
  const rows = Object.keys(text.packageRows)
    .filter((id) => imports.rows[id])
    .map((id) => {
      const size = install.rows[id.startsWith("ours") ? "ours" : id];
      const { alone, beside } = imports.rows[id];
      return [
        text.packageRows[id],
        alone.toFixed(2),
        beside.toFixed(2),
        size?.packages ?? "—",
        size === undefined ? "—" : megabytes(size.bytes),
      ];
    });
  return table(text.packageHead, rows);
}

function diskTable(updates, kills, text) {
  const rows = Object.keys(updates.rows).map((who) => {
    const { lost, refused } = updates.rows[who];
    const killed = kills.rows[who];
    return [text.diskRows[who], lost, refused, killed.lost, killed.broken, killed.leftovers];
  });
  return table(text.diskHead, rows);
}

function words(results, text) {
  const sentences = wins(results, text);
  if (sentences.length === 0) return text.noWins;
  return [text.winsHead, sentences.map((sentence) => `- ${sentence}`).join("\n")];
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}
