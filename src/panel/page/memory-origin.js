import { element, setHidden, setText } from "./dom.js";
import * as format from "./format.js";
import { fill, texts } from "./texts.js";

/** Where a memory was learned: session, time, messages. Hidden where there is nothing to say. */
export function makeOrigin() {
  const learned = element("p");
  const sessions = element("p");
  const messages = element("p");
  const corrected = element("p");
  const node = element("div", { className: "hint", hidden: true }, learned, sessions, messages, corrected);
  return {
    node,
    show(source) {
      setHidden(node, source === undefined);
      if (source === undefined) return;
      const { sessionIds, messageIds, learnedAt, byHandAt } = source;
      setText(learned, fill(texts.learnedAt, { time: format.time(learnedAt) }));
      setText(sessions, fill(texts.learnedIn, { sessions: sessionIds.map(scopeText).join(texts.listComma) }));
      setText(messages, fill(texts.learnedFrom, { messages: messageIds.join(texts.listComma) }));
      setHidden(messages, messageIds.length === 0);
      setText(corrected, fill(texts.correctedAt, { time: format.time(byHandAt ?? 0) }));
      setHidden(corrected, byHandAt === undefined);
    },
  };
}

function scopeText(session) {
  return session === format.globalScope ? texts.globalSource : session;
}
