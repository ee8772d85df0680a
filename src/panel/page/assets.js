import { act, ask } from "./actions.js";
import { showDialog } from "./dialogs.js";
import { element, setHidden, setText } from "./dom.js";
import { size } from "./format.js";
import { makeLongList } from "./long-list.js";
import { markdownElements } from "./markdown.js";
import { say, sayError } from "./status.js";
import { makeSettingSwitch, makeSwitch } from "./switches.js";
import { fill, texts } from "./texts.js";

/** The rules or the skills: their switch, their files, their folder. */
export function makeAssetSection(kind, { canOpenFolders }) {
  const setting = kind === "rules" ? "aiRulesEnabled" : "aiSkillsEnabled";
  const onOff = makeSettingSwitch(setting, kind === "rules" ? texts.rulesEnabled : texts.skillsEnabled);
  const empty = element("p", { className: "empty" }, texts.noFiles);
  const list = makeLongList(
    texts[kind],
    ({ filename }) => filename,
    (file) => makeFileRow(kind, file),
  );
  const openFolder = element(
    "button",
    {
      type: "button",
      onclick: async () => {
        try {
          await ask("open-folder", { kind });
          say(texts.folderOpened);
        } catch (error) {
          sayError(error);
        }
      },
    },
    texts.openFolder,
  );
  const heading = `${kind}-heading`;
  const node = element(
    "section",
    { "aria-labelledby": heading },
    element("h2", { id: heading }, texts[kind]),
    onOff.node,
    element("div", { className: "privacy" }, element("p", {}, texts.noCredentialsInFiles)),
    list.nodes,
    empty,
    canOpenFolders && element("p", { className: "actions" }, openFolder),
  );
  return {
    node,
    update(state) {
      onOff.update(state);
      const { leftOut } = state.budgets.find((budget) => budget.kind === kind);
      const reasons = new Map(leftOut.map(({ id, reason }) => [id, reason]));
      const files = state[kind];
      list.set(
        files.map((file) => ({
          ...file,
          reason: reasons.get(file.filename),
          fileBudget: state.assetFileBudget,
        })),
      );
      setHidden(empty, files.length > 0);
    },
  };
}

const reasonTexts = {
  budget: texts.notInjectedBudget,
  empty: texts.notInjectedEmpty,
  off: texts.notInjectedOff,
};

function makeFileRow(kind, { filename, name: firstName }) {
  const name = element("strong");
  const file = element("code", {}, filename);
  const description = element("p", { className: "description" });
  const bytes = element("span");
  const truncated = element("span", { className: "warning" });
  const reason = element("span");
  const onOff = makeSwitch(fill(texts.fileSwitch, { name: firstName }), undefined, (enabled) =>
    act("switch-file", { kind, filename, enabled }),
  );
  const label = onOff.node.querySelector("label");
  label.className = "unseen";
  const preview = element(
    "button",
    {
      type: "button",
      onclick: async () => {
        try {
          const { blocks, shortened } = await ask("preview-file", { kind, filename });
          const note = shortened && element("p", { className: "warning" }, texts.previewShortened);
          await showDialog(fill(texts.previewOf, { name: name.textContent }), markdownElements(blocks), note);
        } catch (error) {
          sayError(error);
        }
      },
    },
    texts.preview,
  );
  const node = element(
    "li",
    { className: "row file" },
    element(
      "div",
      { className: "words" },
      element("p", { className: "file-name" }, name, " ", file),
      description,
      element("p", { className: "meta" }, bytes, truncated, reason),
    ),
    element("div", { className: "actions" }, preview, onOff.node),
  );
  return {
    node,
    update(asset) {
      setText(name, asset.name);
      setText(label, fill(texts.fileSwitch, { name: asset.name }));
      setText(description, asset.description);
      setHidden(description, asset.description === "");
      setText(bytes, size(asset.bytes));
      setText(truncated, asset.truncated ? fill(texts.truncated, { budget: size(asset.fileBudget) }) : "");
      setText(reason, reasonTexts[asset.reason] ?? "");
      reason.className = asset.reason === "budget" ? "warning" : "";
      preview.setAttribute("aria-label", fill(texts.previewOf, { name: asset.name }));
      node.classList.toggle("is-off", asset.reason === "off");
      onOff.set(asset.enabled);
    },
  };
}
