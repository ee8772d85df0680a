/**
 * Words by which one fact is told in several ways. What stands in no list counts as it is: the lists hold only what may
 * change while the fact stays the same.
 */

/** Says nothing by itself, or only that something is, is there, is called or is used. */
export const weakWords = wordsOf(`
  the a an user users their his her its they them he she it that this these those and also of in on at for by as with to
  am is are be been being do does did have has had having use uses used using own often very really quite please currently every
  each where which who so just both over via through about
  called named name job kind format exam system
  用户 使用 使用的 采用 选用 用 用的 用于 通过 是 为 作为 当作 当 做 担任 从事 有 患有 拥有 共有 的 了 在 于 以 把 被 由 对
  和 与 及 以及 并 也 都 还 就 则 该 其 之 所 所在 正 正在 目前 现在 当前 每 共 总共 叫 名叫 名为 名字 名字叫 名字是 叫做 称为 称呼 称呼为 职业 职业是
  关于 运行 运行在 编写 常 经常 方面 系统 特别 非常 很 尽量 比较 进行 从来 养 养了 养着 养的 任职 里 名 个 一个 一家 一只 一台 一本 一条 一位 一种 一名 一款 一套 一辆 尤其 来
`);

/** Each line is one meaning, told by its first word. */
export const meanings = lines(`
  like prefer prefers preferred preference enjoy love favor favour fond 偏好 喜欢 喜欢用 喜欢使用 更喜欢 更喜欢用 喜爱 爱好 倾向 倾向于 偏爱 爱 爱用 偏好用 偏好使用 习惯 习惯用 习惯使用 习惯于 最喜欢 最爱
  want wish need must should require 希望 想 想要 想用 要 要求 需要 须 必须 需 应 应该 应当 请
  plan intend prepare 打算 计划 准备 预备
  live reside based located 住 住在 居住 居住在 常住 常驻 常住在 常驻在 家住 家在
  travel trip visit 去 到 前往 旅行 旅游 去旅行 去旅游
  rise wake wakes 起床
  allow permit permitted may 允许 可以 能 可
  usually generally typically normally 通常 一般 平时
  child children kid 孩子 小孩
  boss manager supervisor 老板 上司 经理 领导
  answer reply response 回答 回复
  talk communicate chat 沟通 交流
  doc documentation document 文档
  long lengthy
  short brief concise 简短 简洁
  wife 妻子 太太 老婆
  husband 丈夫 老公
  father dad 父亲 爸爸
  mother mom mum 母亲 妈妈
  mainly mostly primarily 主要
  repository repo 仓库
  morning 早上 早晨 清晨
  car drive drives 车 开车 汽车
  goal target aim 目标
  walk 步行 走路
  sleep 睡 睡觉 就寝
  home 居家 在家 家里
  monitor display 显示器
  buy purchase 买 购买 购置 买了
  learn learning study 学习 学 在学 攻读
  member people
`);

/** Each is a denial of what stands behind it. */
export const denials: ReadonlyMap<string, string> = new Map([
  ...["dislike", "hate", "讨厌"].map((word) => [word, "like"] as const),
  ...["forbid", "forbidden", "prohibit", "禁止", "不能", "不可", "不得", "不可以", "不允许"].map(
    (word) => [word, "allow"] as const,
  ),
  ...["avoid", "refuse", "quit", "stop", "拒绝", "避免", "停用", "停止", "放弃", "戒", "戒掉", "戒了"].map(
    (word) => [word, ""] as const,
  ),
  ...["不想", "不想要", "不希望", "无需", "不必", "不需要"].map((word) => [word, "want"] as const),
  ...["不喜欢", "不爱"].map((word) => [word, "like"] as const),
]);

export const negations = wordsOf(`
  not no never none nor neither without hardly
  不 没 没有 别 非 勿 无 未 不要 从不 从未 从没 从来不 从来没 从来没有 不再 不用 不使用 不是 而不是 而非 并非 不会 不曾 未曾
`);

/** Words in which no denial is meant, and nothing may be taken out of. */
export const wholeWords = wordsOf(`
  别人 别的 分别 级别 类别 性别 识别 区别 无线 无锡 未来 不同 不错 不过 不仅 不但 差不多 非洲 要是 主要 重要 还是 公里 英里 里程 里约 可爱 爱尔兰
  成都 首都 都市 个性 名古屋 有名 会议 会员 会计 社会 机会 开会 过敏 过程 超过 将军 一直 一起 一下 一些 一定 统一 唯一 千万 万一 三明治 百度 百科 车间 学校 学生 大学 小学 中学 科学 数学 文学 留学 到期 迟到
`);

/** Where one of these is, it matters what comes first. */
export const directions = wordsOf(
  "to from than over into 从 到 去 比 胜过 多于 给 向 而不是 而非 换成 改成 改为",
);

/** What turns a fact into another one, or tells of somebody else: as little left out on one side as a number. */
export const exactWords = wordsOf(`
  only except if unless until before after since during once twice again almost maybe might could would will was were
  former formerly previously past ex sometimes occasionally rarely seldom always temporarily less least
  只 仅 除 除了 除非 如果 若 直到 之前 之后 以前 以后 期间 曾 曾经 过 前任 有时 偶尔 很少 总是 临时 暂时 可能 也许 会 将 最 最少 至少
  parent parents father mother brother sister son daughter wife husband partner friend colleague neighbor team company
  customer child boss
  父母 父亲 母亲 哥哥 弟弟 姐姐 妹妹 儿子 女儿 妻子 丈夫 朋友 同事 邻居 团队 公司 客户 孩子 老板
  monday tuesday wednesday thursday friday saturday sunday
  january february march april may june july august september october november december
  am pm
`);

/** Weak words that may be left out, but not be put for each other. */
export const relationWords = wordsOf("for with about by to at");

/** Who is a teacher is one, and who has a teacher has one. */
export const beingWords = wordsOf("is am are 是 为 当 做 担任");
export const havingWords = wordsOf("has have 有 拥有 养 养了 养着 养的");

export const numbers: ReadonlyMap<string, string> = new Map(
  "zero one two three four five six seven eight nine ten eleven twelve"
    .split(" ")
    .map((word, number) => [word, String(number)] as const)
    .concat(
      "first second third fourth fifth sixth seventh eighth ninth tenth"
        .split(" ")
        .map((word, number) => [word, String(number + 1)] as const),
      [
        ["twenty", "20"],
        ["thirty", "30"],
        ["fifty", "50"],
        ["hundred", "100"],
        ["thousand", "1000"],
        ["million", "1000000"],
      ],
    ),
);

/** Forms that no rule of endings brings together. Not of verbs: where somebody worked is not where they work. */
export const irregularForms: ReadonlyMap<string, string> = new Map(
  lines(`
    go goes
    allergy allergic allergies
    favorite favourite
  `).flatMap(([first = "", ...others]) => others.map((other) => [other, first] as const)),
);

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/u));
}

function lines(text: string): readonly (readonly string[])[] {
  return text
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/u));
}
