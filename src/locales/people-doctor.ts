import type { LocaleName } from "./locale.js";

type Values = Readonly<Record<string, string | number>>;

/** What is wrong, or worth knowing, and what to do about it. */
export interface FindingTexts {
  readonly what: (values: Values) => string;
  readonly cure?: (values: Values) => string;
}

export interface DoctorTexts {
  readonly findings: Readonly<Record<FindingCode, FindingTexts>>;
  readonly levels: Readonly<Record<"fault" | "warning" | "note", string>>;
  readonly cure: string;
  readonly fine: (folder: string) => string;
  readonly summary: (faults: number, warnings: number) => string;
  readonly notFollowed: string;
  readonly notLearned: string;
  readonly followed: string;
  readonly noFiles: string;
  readonly memoryIsOn: string;
  readonly memoryIsOff: string;
  readonly waits: (characters: number, trigger: number) => string;
  readonly due: string;
  readonly notDue: string;
  readonly lastExtraction: (time: string) => string;
  readonly neverExtracted: string;
  readonly addByHand: string;
}

export type FindingCode =
  | "folder-missing"
  | "folder-unusable"
  | "folder-open-to-others"
  | "memories-unreadable"
  | "memories-no-array"
  | "memories-unusable"
  | "memories-too-long"
  | "memories-over-limit"
  | "memories-at-limit"
  | "memories-over-budget"
  | "candidates-wait"
  | "list-unreadable"
  | "memory-holds-secret"
  | "moved-aside"
  | "settings-unreadable"
  | "settings-no-object"
  | "setting-wrong-type"
  | "setting-out-of-range"
  | "setting-names-no-file"
  | "waiting-unreadable"
  | "waiting-broken-lines"
  | "session-unreadable"
  | "extraction-failing"
  | "asset-unusable"
  | "asset-frontmatter"
  | "asset-skipped-hidden"
  | "asset-skipped-link"
  | "asset-skipped-folder"
  | "asset-skipped-ending"
  | "asset-truncated"
  | "asset-over-budget"
  | "asset-empty"
  | "asset-off"
  | "asset-class-off"
  | "asset-holds-secret"
  | "memory-off"
  | "warning";

const zhCN: DoctorTexts = {
  findings: {
    "folder-missing": {
      what: ({ path }) => `${path} 还不存在`,
      cure: () => "首次使用时会自动创建；如果应该有内容，请用 --dir 指明目录",
    },
    "folder-unusable": {
      what: ({ path, reason }) => `${path} 无法使用（${reason}）`,
      cure: () => "确认它是目录，且当前用户可读写",
    },
    "folder-open-to-others": {
      what: ({ path }) => `${path} 对本机其他用户可读`,
      cure: ({ path }) => `chmod -R go= ${path}`,
    },
    "memories-unreadable": {
      what: ({ path, reason }) => `${path} 无法读取（${reason}），没有注入任何记忆`,
      cure: () => "改正该文件的权限",
    },
    "list-unreadable": {
      what: ({ path, reason }) => `${path} 无法读取（${reason}）`,
      cure: () => "改正该文件的权限",
    },
    "memories-no-array": {
      what: ({ path }) => `${path} 不是 JSON 数组，按空列表处理`,
      cure: () => "改正它，或不必处理：下次写入前会把它移到一旁",
    },
    "memories-unusable": {
      what: ({ path, count }) => `${path} 中有 ${count} 条无法使用，已跳过`,
      cure: () => "每条须有 content（非空文字）和 id；改正或删去它们",
    },
    "memories-too-long": {
      what: ({ count }) => `${count} 条记忆超过 200 个字符，注入时会截短`,
      cure: () => "用 edit 缩短它们",
    },
    "memories-over-limit": {
      what: ({ count, limit }) => `有 ${count} 条记忆，上限是 ${limit}；下次保存时淘汰最旧的`,
      cure: () => "要保留它们，请用 settings set limit 提高上限",
    },
    "memories-at-limit": {
      what: ({ limit }) =>
        `记忆已满（上限 ${limit}），每条新记忆都会挤掉最旧的一条；在实测的长对话中，上限为 100、200、325 时，分别有 35 %、68 %、83 % 的问题还能找到答案所在的记忆`,
      cure: () =>
        'settings set limit 325，并在应用中设 selection: "relevant"：提示词仍为 8 KB，其中有答案的问题从 33 % 升至 80 %（docs/benchmarks.zh-CN.md）',
    },
    "memories-over-budget": {
      what: ({ count }) => `最旧的 ${count} 条记忆因总量超限未注入`,
      cure: () => '删除不再需要的，或合并相近的；或在应用中设 selection: "relevant"，按用户此刻说的话挑选',
    },
    "candidates-wait": {
      what: ({ count }) => `有 ${count} 条学到的内容等待确认，确认之前不会注入`,
      cure: () => "lcsm candidates",
    },
    "memory-holds-secret": {
      what: ({ id }) => `记忆 ${id} 像是含有凭据`,
      cure: ({ id }) => `remove ${id}，并更换该凭据：它已随对话发给模型服务商`,
    },
    "moved-aside": {
      what: ({ path }) => `损坏的文件曾被移到 ${path}`,
      cure: () => "取回其中需要的内容，然后删除它",
    },
    "settings-unreadable": {
      what: ({ path, reason }) => `${path} 无法读取（${reason}），采用默认值`,
      cure: () => "改正该文件的权限",
    },
    "settings-no-object": {
      what: ({ path }) => `${path} 不是 JSON 对象，采用默认值`,
      cure: () => "改正或删除它；下次写入前会把它移到一旁",
    },
    "setting-wrong-type": {
      what: ({ name }) => `设置 ${name} 的类型不对，已忽略`,
      cure: () => "用 settings set 重新设置，或从文件中删去",
    },
    "setting-out-of-range": {
      what: ({ name, used }) => `设置 ${name} 超出 10 到 1000，采用 ${used}`,
      cure: () => "用 settings set limit 重新设置",
    },
    "setting-names-no-file": {
      what: ({ name, filename }) => `${name} 关闭了 ${filename}，但没有这个文件；改名后的文件是启用的`,
      cure: () => "若文件改过名，请用 disable 再次关闭",
    },
    "waiting-unreadable": {
      what: ({ path, reason }) => `${path} 无法读取（${reason}），无法学习`,
      cure: () => "改正该文件的权限",
    },
    "waiting-broken-lines": {
      what: ({ path, count }) => `${path} 中有 ${count} 行无法读取，已跳过`,
      cure: () => "通常是写入时断电所致，不必处理",
    },
    "session-unreadable": {
      what: ({ path }) => `${path} 不是可用的会话记录，已忽略`,
      cure: () => "删除它；会话会重新开始记录",
    },
    "extraction-failing": {
      what: ({ count }) => `最早等待的一段内容已学习失败 ${count} 次`,
      cure: () => "查看应用日志中的原因；失败三次后会分成更小的段，最后跳过它",
    },
    "asset-unusable": {
      what: ({ path, reason }) => `${path} 无法使用，已跳过：${reason}`,
      cure: () => "另存为 UTF-8，并确认可读",
    },
    "asset-frontmatter": {
      what: ({ path }) => `${path} 的 frontmatter 没有结束的 ---，或有一行不是 key: value：全部当作正文`,
      cure: () => "补上结束的 ---，每行写成 key: value",
    },
    "asset-skipped-hidden": {
      what: ({ path }) => `${path} 是隐藏文件，已跳过`,
      cure: () => "去掉文件名开头的点",
    },
    "asset-skipped-link": {
      what: ({ path }) => `${path} 是符号链接，已跳过`,
      cure: () => "换成文件本身",
    },
    "asset-skipped-folder": {
      what: ({ path }) => `${path} 是子目录，其中的文件已跳过`,
      cure: () => "把 .md 文件移到上一层",
    },
    "asset-skipped-ending": {
      what: ({ path }) => `${path} 的文件名不以 .md 结尾，已跳过`,
      cure: () => "改名为 .md",
    },
    "asset-truncated": {
      what: ({ path, bytes, budget }) => `${path} 有 ${bytes} 字节，只注入开头的 ${budget} 字节`,
      cure: () => "精简它，或拆成几个文件",
    },
    "asset-over-budget": {
      what: ({ path }) => `${path} 因同类文件总量超限未注入`,
      cure: () => "精简或合并靠前的文件，或关闭不需要的",
    },
    "asset-empty": { what: ({ path }) => `${path} 没有正文，不注入`, cure: () => "写入内容" },
    "asset-off": {
      what: ({ path }) => `${path} 已关闭`,
      cure: ({ kind, filename }) => `${kind} enable ${filename}`,
    },
    "asset-class-off": {
      what: ({ kind }) => `${kind} 的总开关已关闭`,
      cure: ({ kind }) => `settings set ${kind} on`,
    },
    "asset-holds-secret": {
      what: ({ path }) => `${path} 像是含有凭据，会随每次对话发给模型服务商`,
      cure: () => "从文件中删去，并更换该凭据",
    },
    "memory-off": {
      what: () => "跨会话记忆已关闭：不注入、不学习",
      cure: () => "settings set memory on",
    },
    warning: { what: ({ text }) => String(text) },
  },
  levels: { fault: "问题", warning: "注意", note: "说明" },
  cure: "→",
  fine: (folder) => `${folder} 一切正常。`,
  summary: (faults, warnings) => `${faults} 个问题，${warnings} 处需要注意。`,
  notFollowed: "规则或技能没有被遵循？",
  notLearned: "记忆没有自动积累？",
  followed: "会注入下一次模型调用",
  noFiles: "没有文件",
  memoryIsOn: "「启用跨会话记忆」已打开",
  memoryIsOff: "「启用跨会话记忆」已关闭：不注入、不学习",
  waits: (characters, trigger) => `等待学习：${characters} / ${trigger} 个字符`,
  due: "已达到触发字符数：下一轮对话完成后开始学习（应用须配置模型），或运行 extract",
  notDue: "未达到触发字符数：短对话不会触发，它们会累积；也可运行 extract 立即学习",
  lastExtraction: (time) => `上次学习：${time}`,
  neverExtracted: "还没有学习过",
  addByHand: "也可以用 add 手动添加",
};

const en: DoctorTexts = {
  findings: {
    "folder-missing": {
      what: ({ path }) => `${path} does not exist yet`,
      cure: () => "it is made at the first use; if it should hold something, say where it is with --dir",
    },
    "folder-unusable": {
      what: ({ path, reason }) => `${path} can't be used (${reason})`,
      cure: () => "make sure that it is a folder that you may read and write",
    },
    "folder-open-to-others": {
      what: ({ path }) => `${path} can be read by other users of this machine`,
      cure: ({ path }) => `chmod -R go= ${path}`,
    },
    "memories-unreadable": {
      what: ({ path, reason }) => `${path} can't be read (${reason}); no memories are injected`,
      cure: () => "mend the permissions of the file",
    },
    "list-unreadable": {
      what: ({ path, reason }) => `${path} can't be read (${reason})`,
      cure: () => "mend the permissions of the file",
    },
    "memories-no-array": {
      what: ({ path }) => `${path} holds no JSON array and is read as empty`,
      cure: () => "mend it, or leave it: it is moved aside before the next write",
    },
    "memories-unusable": {
      what: ({ path, count }) => `${count} entries of ${path} can't be used and are skipped`,
      cure: () => "each needs a content (a non-empty text) and an id; mend or delete them",
    },
    "memories-too-long": {
      what: ({ count }) => `${count} memories are longer than 200 characters and are cut when injected`,
      cure: () => "shorten them with edit",
    },
    "memories-over-limit": {
      what: ({ count, limit }) =>
        `there are ${count} memories and the limit is ${limit}: the oldest go at the next save`,
      cure: () => "to keep them, raise it with settings set limit",
    },
    "memories-at-limit": {
      what: ({ limit }) =>
        `the store is full (limit ${limit}): each new memory evicts the oldest. In long conversations that were measured, 35 %, 68 % and 83 % of the questions still found their memory stored at limits of 100, 200 and 325`,
      cure: () =>
        'settings set limit 325, and selection: "relevant" in the app: the prompt stays at 8 KB, and 80 % of the questions find their memory in it in place of 33 % (docs/benchmarks.md)',
    },
    "memories-over-budget": {
      what: ({ count }) => `the oldest ${count} memories are not injected: over the total limit`,
      cure: () =>
        'delete what is no longer needed, or merge what is alike; or set selection: "relevant" in the app, which goes by what the user says now',
    },
    "candidates-wait": {
      what: ({ count }) => `${count} that were learned wait for a yes and are not injected before`,
      cure: () => "lcsm candidates",
    },
    "memory-holds-secret": {
      what: ({ id }) => `memory ${id} looks like it holds a credential`,
      cure: ({ id }) => `remove ${id}, and change that credential: it went to the model provider`,
    },
    "moved-aside": {
      what: ({ path }) => `a broken file was moved aside to ${path}`,
      cure: () => "take back what you need of it, then delete it",
    },
    "settings-unreadable": {
      what: ({ path, reason }) => `${path} can't be read (${reason}); the defaults hold`,
      cure: () => "mend the permissions of the file",
    },
    "settings-no-object": {
      what: ({ path }) => `${path} holds no JSON object; the defaults hold`,
      cure: () => "mend or delete it; it is moved aside before the next write",
    },
    "setting-wrong-type": {
      what: ({ name }) => `the setting ${name} has the wrong type and is ignored`,
      cure: () => "set it anew with settings set, or delete it from the file",
    },
    "setting-out-of-range": {
      what: ({ name, used }) => `the setting ${name} is not from 10 to 1000; ${used} is used`,
      cure: () => "set it anew with settings set limit",
    },
    "setting-names-no-file": {
      what: ({ name, filename }) => `${name} names ${filename}, which is not there; a renamed file is on`,
      cure: () => "if the file was renamed, disable it again",
    },
    "waiting-unreadable": {
      what: ({ path, reason }) => `${path} can't be read (${reason}); nothing can be learned`,
      cure: () => "mend the permissions of the file",
    },
    "waiting-broken-lines": {
      what: ({ path, count }) => `${count} lines of ${path} can't be read and are skipped`,
      cure: () => "a power cut does that; there is nothing to do",
    },
    "session-unreadable": {
      what: ({ path }) => `${path} is no usable record of a session and is ignored`,
      cure: () => "delete it; the session is recorded anew",
    },
    "extraction-failing": {
      what: ({ count }) => `learning from the oldest part that waits has failed ${count} times`,
      cure: () => "the app's log has the reason; after three failures it is halved, at last passed over",
    },
    "asset-unusable": {
      what: ({ path, reason }) => `${path} can't be used and is skipped: ${reason}`,
      cure: () => "save it as UTF-8 and make sure that it can be read",
    },
    "asset-frontmatter": {
      what: ({ path }) =>
        `the frontmatter of ${path} has no closing --- or a line that is no key: value: all of it is body`,
      cure: () => "close it with ---, and write each line as key: value",
    },
    "asset-skipped-hidden": {
      what: ({ path }) => `${path} is a hidden file and is skipped`,
      cure: () => "take the dot from the beginning of its name",
    },
    "asset-skipped-link": {
      what: ({ path }) => `${path} is a symbolic link and is skipped`,
      cure: () => "put the file itself in its place",
    },
    "asset-skipped-folder": {
      what: ({ path }) => `${path} is a folder; what is in it is skipped`,
      cure: () => "move its .md files up",
    },
    "asset-skipped-ending": {
      what: ({ path }) => `the name of ${path} does not end in .md; it is skipped`,
      cure: () => "rename it to .md",
    },
    "asset-truncated": {
      what: ({ path, bytes, budget }) => `${path} has ${bytes} bytes; only the first ${budget} are injected`,
      cure: () => "shorten it, or split it",
    },
    "asset-over-budget": {
      what: ({ path }) => `${path} is not injected: the files of its kind are over their total limit`,
      cure: () => "shorten or merge the files before it, or switch off what is not needed",
    },
    "asset-empty": {
      what: ({ path }) => `${path} has no text and is not injected`,
      cure: () => "write something",
    },
    "asset-off": {
      what: ({ path }) => `${path} is switched off`,
      cure: ({ kind, filename }) => `${kind} enable ${filename}`,
    },
    "asset-class-off": {
      what: ({ kind }) => `${kind} are switched off as a whole`,
      cure: ({ kind }) => `settings set ${kind} on`,
    },
    "asset-holds-secret": {
      what: ({ path }) =>
        `${path} looks like it holds a credential, which goes to the model provider each time`,
      cure: () => "take it out of the file, and change that credential",
    },
    "memory-off": {
      what: () => "memory is switched off: nothing is injected or learned",
      cure: () => "settings set memory on",
    },
    warning: { what: ({ text }) => String(text) },
  },
  levels: { fault: "fault", warning: "warning", note: "note" },
  cure: "→",
  fine: (folder) => `${folder}: all is well.`,
  summary: (faults, warnings) => `${faults} faults, ${warnings} warnings.`,
  notFollowed: "A rule or skill is not followed?",
  notLearned: "Nothing is learned?",
  followed: "goes into the next model call",
  noFiles: "there are no files",
  memoryIsOn: "memory is switched on",
  memoryIsOff: "memory is switched off: nothing is injected or learned",
  waits: (characters, trigger) => `waiting to be learned: ${characters} of ${trigger} characters`,
  due: "that is enough: learning starts with the next completed turn (the app needs a model), or with extract",
  notDue: "that is not enough yet: short conversations start nothing but add up; extract learns at once",
  lastExtraction: (time) => `last learned: ${time}`,
  neverExtracted: "nothing was ever learned from yet",
  addByHand: "add puts in a memory by hand",
};

export const doctorTexts: Readonly<Record<LocaleName, DoctorTexts>> = { "zh-CN": zhCN, en };
