/** What the demo says, in both languages. */
export const texts = {
  "zh-CN": {
    title: "跨会话记忆演示",
    standIn:
      "模型：stand-in-model，本机的替身，不是真正的语言模型；它的每句话都由收到的请求算出（设置 OPENAI_API_KEY 即可换成真模型）",
    realModel: (name) => `模型：${name}`,
    memory: (on) => `记忆：${on ? "开" : "关（--no-memory）：不注入、不记录、不提取"}`,
    firstSession: (turns, characters) => `第一次会话：${turns} 轮，用户说了 ${characters} 个字`,
    extractionStarts: (turn) => `后台提取开始（第 ${turn} 轮之后，待提取的内容满了 4000 字），聊天照常继续`,
    extractionEnds: (seconds, turns) => `后台提取结束，用时 ${seconds} 秒，其间又聊了 ${turns} 轮`,
    extractionFails: "后台提取失败，聊天不受影响",
    learned: (count) => `学到了什么：${count} 条记忆`,
    nothingLearned: "什么也没有学：记忆已关闭",
    waiting: (characters) => `还有 ${characters} 个字在排队，与以后的会话凑满 4000 字再提取`,
    leftOut: "没有记下什么",
    isLeftOut: "没有记下",
    isKept: "竟然记下了",
    masked: (excerpt) => `密码在进入排队文件之前就已隐去：“…${excerpt}…”`,
    inHistory: "（第一次会话自己的聊天记录 chats/*.jsonl 是原话，密码仍在其中；它不会带到别的会话）",
    secondSession: "第二次会话：新的工作区、新的会话，只有文件夹是同一个",
    segments: { rules: "规则", skills: "技能", memory: "记忆" },
    memories: (count) => `${count} 条记忆`,
    none: "（没有）",
    user: "用户",
    assistant: "助手",
    folder: (dir) => `文件都在：${dir}`,
    took: (seconds) => `全程 ${seconds} 秒`,
    found: (fact) => `结果：第二次会话的回答里有第一次会话说过的「${fact}」。`,
    missing: (fact) => `结果：第二次会话的回答里没有第一次会话说过的「${fact}」。`,
  },
  en: {
    title: "Memory across sessions: a demo",
    standIn:
      "model: stand-in-model, a local stand-in and no real language model; all it says is computed from what it is sent (set OPENAI_API_KEY for a real one)",
    realModel: (name) => `model: ${name}`,
    memory: (on) => `memory: ${on ? "on" : "off (--no-memory): nothing injected, recorded or extracted"}`,
    firstSession: (turns, characters) =>
      `First session: ${turns} turns, ${characters} characters said by the user`,
    extractionStarts: (turn) =>
      `extraction starts in the background (after turn ${turn}, with 4000 characters waiting); the chat goes on`,
    extractionEnds: (seconds, turns) =>
      `extraction ended after ${seconds} s; ${turns} turns went by meanwhile`,
    extractionFails: "extraction failed; the chat is not affected",
    learned: (count) => `What was learned: ${count} memories`,
    nothingLearned: "nothing was learned: memory is off",
    waiting: (characters) =>
      `${characters} characters still wait; with those of later sessions they go at 4000`,
    leftOut: "What was left out",
    isLeftOut: "left out",
    isKept: "kept after all",
    masked: (excerpt) => `the password was removed before anything was queued: "…${excerpt}…"`,
    inHistory:
      "(the first session's own history, chats/*.jsonl, is verbatim and still holds it; no other session reads it)",
    secondSession: "Second session: a new workspace and a new session; only the folder is the same",
    segments: { rules: "rules", skills: "skills", memory: "memory" },
    memories: (count) => `${count} memories`,
    none: "(none)",
    user: "user",
    assistant: "assistant",
    folder: (dir) => `all files are in ${dir}`,
    took: (seconds) => `took ${seconds} s in all`,
    found: (fact) => `Result: the second session's answer holds "${fact}", which was said in the first.`,
    missing: (fact) =>
      `Result: the second session's answer does not hold "${fact}", which was said in the first.`,
  },
};
