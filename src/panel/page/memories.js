import { act } from "./actions.js";
import { makeCounter } from "./counter.js";
import { confirmDialog } from "./dialogs.js";
import { element, setHidden, setText } from "./dom.js";
import { number } from "./format.js";
import { makeLongList } from "./long-list.js";
import { makeMemoryRow } from "./memory-row.js";
import { store } from "./secret-question.js";
import { say, sayError } from "./status.js";
import { makeLimitSetting, makeSettingSwitch } from "./switches.js";
import { fill, texts } from "./texts.js";

/** The memories: switch and limit, add, search, the list, clear. */
export function makeMemorySection({ maxContentLength }) {
  let state;
  let leftOut = new Set();
  const onOff = makeSettingSwitch("aiMemoryEnabled", texts.memoryEnabled, texts.memoryEnabledHint);
  const limit = makeLimitSetting();
  const add = makeAddForm(maxContentLength);
  const search = element("input", { type: "search", id: "memory-search", autocomplete: "off" });
  const count = element("p", { className: "hint", role: "status" });
  const empty = element("p", { className: "empty" });
  const list = makeLongList(
    texts.memory,
    ({ id }) => id,
    (item) => makeMemoryRow(item, { maxLength: maxContentLength, focusAfter }),
  );
  const clear = element(
    "button",
    { type: "button", className: "danger", onclick: () => askToClear() },
    texts.clear,
  );

  /** Where the focus goes when this row is gone: to the next one, or the one before. */
  function focusAfter(node) {
    const neighbour = node.nextElementSibling ?? node.previousElementSibling;
    return () => (neighbour?.querySelector(".actions button:last-child") ?? search).focus();
  }

  function draw() {
    const wanted = search.value.trim().toLocaleLowerCase();
    const newestFirst = state.memories.toReversed();
    const found = newestFirst.filter(({ content }) => content.toLocaleLowerCase().includes(wanted));
    list.set(found.map((item) => ({ ...item, isLeftOut: leftOut.has(item.id) })));
    const all = number(state.memories.length);
    setText(
      count,
      wanted === ""
        ? fill(texts.memoriesCount, { count: all })
        : fill(texts.memoriesFound, { count: number(found.length), all }),
    );
    setText(empty, state.memories.length === 0 ? texts.emptyList : texts.nothingFound);
    setHidden(empty, found.length > 0);
    const { memories, candidates, replaced, waiting } = state;
    clear.disabled = memories.length + candidates.length + replaced.length + waiting.messages === 0;
  }

  search.addEventListener("input", () => {
    list.reset();
    draw();
  });

  async function askToClear() {
    const { memories, candidates, replaced, waiting } = state;
    const somethingWaits = waiting.messages > 0;
    const answer = await confirmDialog({
      title: texts.clearTitle,
      lines: [
        fill(texts.clearQuestion, { count: number(memories.length) }),
        ...(candidates.length > 0 ? [fill(texts.clearCandidates, { count: number(candidates.length) })] : []),
        ...(replaced.length > 0 ? [fill(texts.clearReplaced, { count: number(replaced.length) })] : []),
        somethingWaits
          ? fill(texts.clearWaiting, {
              messages: number(waiting.messages),
              characters: number(waiting.characters),
              sessions: number(waiting.sessions),
            })
          : texts.clearNothingWaits,
      ],
      option: somethingWaits ? texts.clearAlsoWaiting : undefined,
      confirm: texts.clearConfirm,
    });
    if (answer === undefined) return;
    try {
      const { cleared } = await act("clear-memories", { waiting: answer.option });
      say(fill(texts.cleared, { count: number(cleared) }));
    } catch (error) {
      sayError(error);
    }
  }

  const node = element(
    "section",
    { "aria-labelledby": "memory-heading" },
    element("h2", { id: "memory-heading" }, texts.memory),
    onOff.node,
    limit.node,
    element(
      "div",
      { className: "privacy" },
      element("p", {}, texts.sentToProvider),
      element("p", {}, texts.sentToExtraction),
      element("p", {}, texts.reviewList),
    ),
    add.node,
    element(
      "div",
      { className: "search" },
      element("label", { for: "memory-search" }, texts.searchLabel),
      search,
      count,
    ),
    list.nodes,
    empty,
    element("p", { className: "actions" }, clear),
  );
  return {
    node,
    update(next) {
      state = next;
      const { leftOut: notIn } = next.budgets.find(({ kind }) => kind === "memory");
      leftOut = new Set(notIn.filter(({ reason }) => reason === "budget").map(({ id }) => id));
      onOff.update(next);
      limit.update(next);
      draw();
    },
  };
}

function makeAddForm(maxLength) {
  const field = element("textarea", { id: "memory-add", rows: 2 });
  const counter = makeCounter(field, maxLength);
  const submit = async (event) => {
    event.preventDefault();
    try {
      const { isNew } = await store("add-memory", { content: field.value });
      field.value = "";
      counter.draw();
      say(isNew ? texts.added : texts.alreadyThere);
    } catch (error) {
      sayError(error);
    }
    field.focus();
  };
  const node = element(
    "form",
    {
      className: "add",
      noValidate: true,
      onsubmit: submit,
      onkeydown: (event) => {
        // A memory is one line: Enter adds it, unless it ends the input of a Chinese word.
        if (event.key === "Enter" && !event.isComposing && !event.shiftKey) submit(event);
      },
    },
    element("label", { for: field.id }, texts.addLabel),
    field,
    element(
      "div",
      { className: "inline" },
      counter.node,
      element("button", { className: "primary" }, texts.add),
    ),
  );
  return { node };
}
