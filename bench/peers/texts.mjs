import { contenders } from "./contenders.mjs";

/** In prose, where what it was made with stands above. */
const shortNames = {
  deepagents: "deepagents",
  mem0: "mem0",
  buffer: "`BufferMemory`",
  "summary-buffer": "`ConversationSummaryBufferMemory`",
  vectors: "`VectorStoreRetrieverMemory`",
  summarization: "`summarizationMiddleware`",
};
const english = {
  ...shortNames,
  "mem0-behind": "mem0 not awaited",
  "summarization-one": "`summarizationMiddleware` in one thread",
  store: "the LangGraph store",
};
const chinese = {
  ...shortNames,
  "mem0-behind": "mem0（不等待）",
  "summarization-one": "单线程的 `summarizationMiddleware`",
  store: "LangGraph 存储",
};

/** Names of those that are measured, beside those of `contenders.mjs`. */
const names = {
  en: Object.fromEntries(contenders.map(({ id, name }) => [id, name])),
  "zh-CN": {
    bare: "不加任何东西的 agent",
    ours: "本库，8 KB",
    "ours-4": "本库，4 KB",
    "ours-2": "本库，2 KB",
    "ours-rules": "本库，8 KB，另加 10 条规则、10 个技能",
    deepagents: "deepagents，同样的规则与技能",
    mem0: "mem0，等待 `add`",
    "mem0-behind": "mem0，不等待 `add`",
    summarization: "`summarizationMiddleware`，每个会话一个线程",
    "summarization-one": "`summarizationMiddleware`，全部一个线程",
    buffer: "`BufferMemory`",
    "summary-buffer": "`ConversationSummaryBufferMemory`",
    vectors: "`VectorStoreRetrieverMemory`",
    store: "LangGraph 存储，手写，带索引",
  },
};

export const texts = {
  en: {
    name: (id) => names.en[id],
    shortName: (id) => english[id],
    chart: {
      title: "Prompt bytes and time of a turn, as times of a bare agent's",
      bytes: "prompt bytes, all requests",
      time: "time of a turn, server 20 ms",
      unmeasured: "not measured",
      asAbove: "as with 8 KB",
    },
    turnHead: [
      "",
      "learns by itself",
      "requests of its own",
      "embeddings",
      "prompt bytes",
      "short turns: requests",
      "short turns: bytes",
      "a turn, server at once",
      "a turn, server 20 ms",
      "processor time",
      "first token",
      "held up, of 10",
    ],
    recallHead: (budgets) => ["needed facts in the prompt, %", ...budgets.map((bytes) => `${bytes} bytes`)],
    recallRows: {
      relevant: 'ours, `selection: "relevant"`',
      newest: 'ours, `selection: "newest"` (the default)',
      store: "by vectors of words (LangGraph store, `VectorStoreRetrieverMemory`)",
      mem0: "mem0's search, with vectors of words",
    },
    packageHead: ["", "import, alone", "import beside `langchain`", "packages it adds", "MB it adds"],
    packageRows: {
      ours: "ours, without the middleware",
      "ours-middleware": "ours, with the middleware",
      deepagents: "deepagents",
      classic: "`@langchain/classic/memory`",
      mem0: "mem0 (`mem0ai/oss`)",
      store: "`@langchain/langgraph`",
    },
    diskHead: [
      "",
      "two processes: lost of 400",
      "refused of 400",
      "killed 30 times: lost",
      "broken files",
      "files left over",
    ],
    diskRows: { ours: "ours", deepagents: "deepagents' `AGENTS.md`, edited as its tool does", mem0: "mem0" },
    turnNotes: [
      "The bare agent's own times are against another bare agent: by as much as they are not 1 the others may be off too.",
      "Held up: of ten turns in a row, those that took more than a second, where each request of a memory's own takes two. The first token is of the same turns, against a bare agent's.",
      "Between the turns whose times stand here, work in the background comes to its end, as while a person reads; the processor time holds it.",
      'Ours learns each time that 4000 characters have been said. It takes `selection: "relevant"`, and `limit: 300` in place of 100 to hold what everyone is given.',
      "`BufferMemory` and `ConversationSummaryBufferMemory` stand in place of the checkpointer. The latter (of `@langchain/classic` 1.0.50) sums up, and sends the whole conversation all the same.",
    ],
    inMemory:
      "`summarizationMiddleware` with `MemorySaver`, `BufferMemory`, `ConversationSummaryBufferMemory`, `VectorStoreRetrieverMemory` with `MemoryVectorStore` and LangGraph's `InMemoryStore` keep nothing on a disk: with the process all is gone.",
    yes: "yes",
    no: "no",
    captions: {
      turns: (counts, times) =>
        `**A turn.** ${counts.turns} turns in sessions of ten, of 400 characters from the user and 600 from the model; short ones are of 50 and 50. Bytes, times and processor time are as times of a bare agent's. ` +
        (times === undefined
          ? ""
          : `Times: ${times.turns} turns each beside a bare agent's in turn, in ${times.repetitions === 1 ? "one process only, once" : `${times.repetitions} processes: their median (least to most)`}. `) +
        "All that keep facts are given the same 128 first. Requests of its own are those for learning or summing up; their bytes stand behind the plus.",
      recall: ({ facts, questions }) =>
        `**What is in the prompt**, at the same number of bytes: ${questions} questions in English and Chinese to ${facts} facts, all written for this repository.`,
      package: (base) =>
        `**The package.** Import times are as times of importing \`langchain\` alone. Packages and size are what \`npm install\` adds to \`langchain\` and \`@langchain/core\` (${base.packages} packages, ${megabytes(base.bytes)} MB).`,
      disk: "**The disk.** Two processes add 200 facts each to one user's memory. Then a process that adds facts is killed (`kill -9`) 30 times in the middle of it.",
      where: ({ cores, node, platform }, dates, load) =>
        `Measured on ${dates}: ${cores} cores, Node ${node.slice(1)}, ${platform}.${load}`,
      loaded: (parts) =>
        ` Other work went on on this machine while these were measured, so take them with care: ${parts}.`,
    },
    partNames: { times: "times of a turn", imports: "imports" },
    winsHead: "**Where another one is better:**",
    noWins: "In no column is another one better.",
    wins: {
      ownCalls: (who) => `Fewer requests of their own: ${who}.`,
      bytes: (who) => `Fewer prompt bytes than ours at 8 KB: ${who}.`,
      bytesSmallest: (who) => `Fewer prompt bytes than even ours at 2 KB: ${who}.`,
      appBytes: (who) =>
        `Fewer bytes in the app's own requests than ours at 2 KB, though more in all: ${who}.`,
      bytesShort: (who) => `In short turns fewer bytes than ours at 2 KB: ${who}.`,
      rules: (who) =>
        `With the same rules and skills fewer bytes: ${who}; there a skill's text is read only when it is needed, with one more request.`,
      turn0: (who) => `A shorter turn where the server answers at once: ${who}.`,
      turn20: (who) => `A shorter turn at 20 ms: ${who}.`,
      processor: (who) => `Less processor time: ${who}.`,
      firstToken: (who) => `An earlier first token: ${who}.`,
      recall: (who) => `More of the needed facts: ${who}.`,
      alone: (who) => `Imported sooner, alone: ${who}.`,
      beside: (who) => `Imported sooner beside \`langchain\`: ${who}.`,
      packages: (who) => `Fewer packages: ${who}.`,
      size: (who) => `Smaller: ${who}.`,
      lost: (who) => `Fewer updates lost: ${who}.`,
      leftovers: (who) => `Fewer files left over after kills: ${who}.`,
    },
    learnNothing: (names) => `${names} (learning nothing by itself)`,
    at: (name, bytes) => `${name} at ${bytes} bytes`,
    join: (parts) => parts.join(", "),
    unmeasuredHead: "**Not measured:**",
    unmeasured: [
      "how good a real embedding model's search is (there is none here: vectors are made of words, which helps none of the peers);",
      "how good what is learned is: the stand-in model gives each learner one fact for each turn;",
      "databases behind a peer (PostgreSQL, Qdrant and others);",
      "mem0 and deepagents as hosted services.",
    ],
  },
  "zh-CN": {
    name: (id) => names["zh-CN"][id],
    shortName: (id) => chinese[id],
    chart: {
      title: "提示词字节数与一轮耗时，为不加任何东西的 agent 的倍数",
      bytes: "提示词字节，全部请求",
      time: "一轮耗时，服务器 20 ms",
      unmeasured: "未测",
      asAbove: "与 8 KB 相同",
    },
    turnHead: [
      "",
      "自己学习",
      "自己的请求",
      "嵌入请求",
      "提示词字节",
      "短轮：请求",
      "短轮：字节",
      "一轮，服务器立即答",
      "一轮，服务器 20 ms",
      "处理器时间",
      "首个 token",
      "被耽搁，共 10 轮",
    ],
    recallHead: (budgets) => ["所需事实在提示词里，%", ...budgets.map((bytes) => `${bytes} 字节`)],
    recallRows: {
      relevant: '本库，`selection: "relevant"`',
      newest: '本库，`selection: "newest"`（默认）',
      store: "按词向量（LangGraph 存储、`VectorStoreRetrieverMemory`）",
      mem0: "mem0 的搜索，用词向量",
    },
    packageHead: ["", "单独导入", "在 `langchain` 之后导入", "增加的包", "增加的 MB"],
    packageRows: {
      ours: "本库，不含中间件",
      "ours-middleware": "本库，含中间件",
      deepagents: "deepagents",
      classic: "`@langchain/classic/memory`",
      mem0: "mem0（`mem0ai/oss`）",
      store: "`@langchain/langgraph`",
    },
    diskHead: ["", "两个进程：400 次丢失", "400 次被拒", "杀 30 次：丢失", "损坏的文件", "残留文件"],
    diskRows: { ours: "本库", deepagents: "deepagents 的 `AGENTS.md`，照它的工具编辑", mem0: "mem0" },
    turnNotes: [
      "第一行的时间是与另一个同样的 agent 相比：它与 1 相差多少，其余各行也可能偏差多少。",
      "被耽搁：连续十轮中超过一秒的轮数，此时记忆自己的每个请求要两秒。首个 token 也出自这些轮，与不加任何东西的 agent 相比。",
      "计时的各轮之间，后台工作会做完，就像人在阅读时那样；处理器时间包含它。",
      '本库每攒满 4000 个字符学习一次。这里用 `selection: "relevant"`，并以 `limit: 300` 代替 100，以容下各家都给的事实。',
      "`BufferMemory` 与 `ConversationSummaryBufferMemory` 代替 checkpointer。后者（`@langchain/classic` 1.0.50）做了摘要，却仍发送整段对话。",
    ],
    inMemory:
      "配 `MemorySaver` 的 `summarizationMiddleware`、`BufferMemory`、`ConversationSummaryBufferMemory`、配 `MemoryVectorStore` 的 `VectorStoreRetrieverMemory` 与 LangGraph 的 `InMemoryStore` 不往磁盘存任何东西：进程一结束就全没了。",
    yes: "是",
    no: "否",
    captions: {
      turns: (counts, times) =>
        `**一轮对话。** ${counts.turns} 轮，每个会话十轮，用户 400 个字符、模型 600 个；短轮各 50 个。字节、时间与处理器时间均为不加任何东西的 agent 的倍数。` +
        (times === undefined
          ? ""
          : `时间：每次 ${times.turns} 轮，与不加任何东西的 agent 逐轮交替，${times.repetitions === 1 ? "只测了一个进程" : `取 ${times.repetitions} 个进程的中位数（最小到最大）`}。`) +
        "凡是存事实的，都先给同样的 128 条。自己的请求指用于学习或摘要的请求，其字节写在加号之后。",
      recall: ({ facts, questions }) =>
        `**提示词里有什么**，字节数相同：${facts} 条事实，${questions} 个中英文问题，都是为本仓库写的。`,
      package: (base) =>
        `**软件包。** 导入时间为单独导入 \`langchain\` 的倍数。包数与大小是 \`npm install\` 在 \`langchain\` 与 \`@langchain/core\`（${base.packages} 个包，${megabytes(base.bytes)} MB）之外增加的。`,
      disk: "**磁盘。** 两个进程各往同一个用户的记忆里添 200 条事实；然后一个不停添事实的进程中途被杀（`kill -9`）30 次。",
      where: ({ cores, node, platform }, dates, load) =>
        `测于 ${dates}：${cores} 核，Node ${node.slice(1)}，${platform}。${load}`,
      loaded: (parts) => `测这些时机器上还有别的工作，请谨慎看待：${parts}。`,
    },
    partNames: { times: "一轮的时间", imports: "导入" },
    winsHead: "**别人更好的地方：**",
    noWins: "没有一列是别人更好。",
    wins: {
      ownCalls: (who) => `自己的请求更少：${who}。`,
      bytes: (who) => `提示词字节少于本库 8 KB：${who}。`,
      bytesSmallest: (who) => `甚至少于本库 2 KB：${who}。`,
      appBytes: (who) => `总数更多，但应用自己的请求里字节少于本库 2 KB：${who}。`,
      bytesShort: (who) => `短轮中字节少于本库 2 KB：${who}。`,
      rules: (who) => `规则与技能相同时字节更少：${who}；那里技能的正文用到时才读，多一次请求。`,
      turn0: (who) => `服务器立即答时一轮更快：${who}。`,
      turn20: (who) => `20 ms 时一轮更快：${who}。`,
      processor: (who) => `处理器时间更少：${who}。`,
      firstToken: (who) => `首个 token 更早：${who}。`,
      recall: (who) => `所需事实更多：${who}。`,
      alone: (who) => `单独导入更快：${who}。`,
      beside: (who) => `在 \`langchain\` 之后导入更快：${who}。`,
      packages: (who) => `包更少：${who}。`,
      size: (who) => `更小：${who}。`,
      lost: (who) => `丢失的更新更少：${who}。`,
      leftovers: (who) => `被杀后残留文件更少：${who}。`,
    },
    learnNothing: (names) => `自己不学习的 ${names}`,
    at: (name, bytes) => `${name}，${bytes} 字节`,
    join: (parts) => parts.join("、"),
    unmeasuredHead: "**未测：**",
    unmeasured: [
      "真正的嵌入模型搜得有多好（这里没有：向量由词构成，对各家都不利）；",
      "学到的东西有多好：替身模型对每个学习者每轮都给一条事实；",
      "各家背后的数据库（PostgreSQL、Qdrant 等）；",
      "mem0 与 deepagents 的托管服务。",
    ],
  },
};

export function megabytes(bytes) {
  return (bytes / 1_000_000).toFixed(1);
}
