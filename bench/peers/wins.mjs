import { contenders } from "./contenders.mjs";

/** The sentences about what another one does better than ours, from the figures alone. */
export function wins(results, text) {
  const { counts, times, recall, imports, install, updates, kills } = results;
  const others = contenders.filter(({ id }) => id !== "bare" && !id.startsWith("ours"));
  /** Those that learn, and after them those that don't, with a word on that. */
  const label = (found) => {
    const namesOf = (isLearner) =>
      found.filter(({ learns = false }) => learns === isLearner).map(({ id }) => text.shortName(id));
    const idle = namesOf(false);
    return [...namesOf(true), ...(idle.length === 0 ? [] : [text.learnNothing(text.join(idle))])];
  };
  const sentences = [];
  const say = (what, who) => {
    if (who.length > 0) sentences.push(text.wins[what](text.join(who)));
  };
  const less = (figure, limit, among = others) =>
    label(among.filter(({ id }) => figure(id) !== undefined && figure(id) < limit));

  if (counts !== undefined) {
    const own = (id) => counts.rows[id]?.long.ownCalls;
    const all = (kind) => (id) =>
      counts.rows[id] && counts.rows[id][kind].bytes + counts.rows[id][kind].ownBytes;
    say("ownCalls", less(own, own("ours")));
    const bytes = all("long");
    say("bytesSmallest", less(bytes, bytes("ours-2")));
    const between = others.filter(({ id }) => bytes(id) >= bytes("ours-2") && !id.startsWith("deepagents"));
    say("bytes", less(bytes, bytes("ours"), between));
    const appBytes = (id) => counts.rows[id]?.long.bytes;
    const more = others.filter(({ id }) => bytes(id) >= bytes("ours"));
    say("appBytes", less(appBytes, appBytes("ours-2"), more));
    say("bytesShort", less(all("short"), all("short")("ours-2")));
    const withRules = others.filter(({ id }) => id === "deepagents");
    say("rules", less(bytes, bytes("ours-rules"), withRules));
  }
  if (times !== undefined) {
    for (const [what, column] of [
      ["turn0", "turn0"],
      ["turn20", "turn20"],
      ["processor", "processor0"],
      ["firstToken", "firstToken"],
    ]) {
      const figure = (id) => times.rows[id]?.[column].median;
      say(what, less(figure, figure("ours")));
    }
  }
  if (recall !== undefined) {
    const best = ["store", "mem0"].flatMap((id) =>
      (recall.rows[id] ?? []).flatMap((share, at) =>
        share > recall.rows.relevant[at] ? [text.at(text.recallRows[id], recall.budgets[at])] : [],
      ),
    );
    say("recall", best);
  }
  const packages = (rows, figure, own) =>
    Object.keys(rows)
      .filter((id) => !id.startsWith("ours") && id !== "langchain" && figure(rows[id]) < figure(rows[own]))
      .map((id) => text.packageRows[id]);
  if (imports !== undefined) {
    say(
      "alone",
      packages(imports.rows, ({ alone }) => alone, "ours"),
    );
    say(
      "beside",
      packages(imports.rows, ({ beside }) => beside, "ours-middleware"),
    );
  }
  if (install !== undefined) {
    say(
      "packages",
      packages(install.rows, (row) => row.packages, "ours"),
    );
    say(
      "size",
      packages(install.rows, (row) => row.bytes, "ours"),
    );
  }
  const onDisk = (rows, figure) =>
    Object.keys(rows)
      .filter((who) => figure(rows[who]) < figure(rows.ours))
      .map((who) => text.diskRows[who]);
  if (updates !== undefined)
    say(
      "lost",
      onDisk(updates.rows, ({ lost }) => lost),
    );
  if (kills !== undefined)
    say(
      "leftovers",
      onDisk(kills.rows, ({ leftovers }) => leftovers),
    );
  return sentences;
}
