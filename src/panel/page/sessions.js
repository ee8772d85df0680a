import { act } from "./actions.js";
import { confirmDialog } from "./dialogs.js";
import { element, setHidden, setText } from "./dom.js";
import * as format from "./format.js";
import { makeLongList } from "./long-list.js";
import { say, sayError } from "./status.js";
import { fill, texts } from "./texts.js";

/** The sessions that something is known of, and how much waits to be learned. */
export function makeSessionSection() {
  const summary = element("p");
  const bar = element("meter", { min: 0, "aria-labelledby": "waiting-summary" });
  summary.id = "waiting-summary";
  const hint = element("p", { className: "hint" });
  const empty = element("p", { className: "empty" }, texts.noSessions);
  const list = makeLongList(texts.sessions, ({ sessionId }) => sessionId, makeSessionRow);
  const node = element(
    "section",
    { "aria-labelledby": "sessions-heading" },
    element("h2", { id: "sessions-heading" }, texts.sessions),
    summary,
    bar,
    hint,
    list.nodes,
    empty,
  );
  return {
    node,
    update({ sessions, waiting, extractionTriggerChars }) {
      const trigger = format.number(extractionTriggerChars);
      setText(
        summary,
        fill(texts.waitingSummary, {
          messages: format.number(waiting.messages),
          characters: format.number(waiting.characters),
          sessions: format.number(waiting.sessions),
          trigger,
        }),
      );
      bar.max = extractionTriggerChars;
      bar.value = waiting.characters;
      setText(hint, fill(texts.waitingHint, { trigger }));
      list.set(sessions.toSorted(byInterest));
      setHidden(empty, sessions.length > 0);
    },
  };
}

/** What waits stands first, then what was learned from last. */
function byInterest(left, right) {
  const waits = Number(right.waiting.messages > 0) - Number(left.waiting.messages > 0);
  return waits || (right.extractedAt ?? 0) - (left.extractedAt ?? 0);
}

function makeSessionRow({ sessionId }) {
  const shortId = format.source(sessionId, texts.globalSource);
  const waits = element("span");
  const extracted = element("span");
  const cursor = element("span", { className: "cursor" });
  let memories = 0;
  const remove = async () => {
    const answer = await confirmDialog({
      title: fill(texts.sessionRemoveTitle, { id: shortId }),
      lines: [memories === 0 ? texts.sessionRemoveQuestion : texts.sessionRemoveQuestionLearned],
      option:
        memories === 0 ? undefined : fill(texts.sessionRemoveLearned, { count: format.number(memories) }),
      confirm: texts.delete,
    });
    if (answer === undefined) return;
    try {
      await act("remove-session", { sessionId, learned: answer.option });
      say(texts.sessionRemoved);
    } catch (error) {
      sayError(error);
    }
  };
  const node = element(
    "li",
    { className: "row file" },
    element(
      "div",
      { className: "words" },
      element("p", { className: "file-name" }, element("code", { title: sessionId }, shortId)),
      element("p", { className: "meta" }, waits, extracted, cursor),
    ),
    element(
      "div",
      { className: "actions" },
      element(
        "button",
        {
          type: "button",
          "aria-label": fill(texts.sessionRemoveTitle, { id: shortId }),
          onclick: remove,
        },
        texts.sessionRemove,
      ),
    ),
  );
  return {
    node,
    update({ waiting, extractedAt, extractedUpTo, memories: count }) {
      memories = count;
      setText(
        waits,
        waiting.messages === 0
          ? texts.sessionNothingWaits
          : fill(texts.sessionWaiting, {
              messages: format.number(waiting.messages),
              characters: format.number(waiting.characters),
            }),
      );
      setText(
        extracted,
        extractedAt === undefined
          ? texts.sessionNever
          : fill(texts.sessionExtracted, { time: format.time(extractedAt) }),
      );
      setText(cursor, extractedUpTo === undefined ? "" : fill(texts.sessionCursor, { id: extractedUpTo }));
    },
  };
}
