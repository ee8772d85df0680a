import { TermReader } from "./terms.js";

/**
 * Words of one topic, in English and Chinese: what a question asks by one of them a memory may tell by another, also in the
 * other language. Far less than the words themselves, so that they decide only where these find little.
 */
const topics = [
  "job work career profession occupation company employer 工作 职业 公司 岗位 上班",
  "kid child son daughter 孩子 儿子 女儿 小孩",
  "mother mom mum 妈妈 母亲",
  "father dad 爸爸 父亲",
  "parent mother father 父母 家人",
  "spouse husband wife partner married 丈夫 妻子 老婆 老公 爱人 结婚",
  "friend buddy 朋友 好友",
  "pet dog cat puppy kitten 宠物 小狗 小猫 养狗 养猫",
  "live reside home house apartment city 住在 居住 家住 城市 房子",
  "trip travel vacation holiday visit 旅行 旅游 出差 假期",
  "food meal dish cook restaurant cuisine 饮食 吃饭 餐厅 做饭 口味",
  "drink coffee tea 咖啡 喝茶 饮料",
  "allergy allergic intolerant 过敏 忌口",
  "hobby enjoy interest like love favorite prefer passion 爱好 喜欢 兴趣 偏好 偏爱",
  "movie film series 电影 影片",
  "book novel author read 读书 小说 书籍",
  "music song band concert 音乐 歌曲 乐队",
  "painting art draw artwork 画画 绘画 艺术",
  "sport game team 运动 比赛 球队",
  "exercise gym workout yoga run fitness 健身 锻炼 跑步 瑜伽",
  "car vehicle drive 汽车 开车",
  "sick ill health doctor medicine 生病 健康 医生 身体",
  "sleep tired rest 睡眠 失眠 休息",
  "stress relax calm relieve 压力 放松",
  "feel emotion happy sad 心情 情绪 感受",
  "birth born birthday 生日 出生",
  "study school university college degree course exam 学校 大学 学习 专业 课程 考试",
  "money finance cost price salary budget 工资 价格 预算 费用",
  "buy purchase shop 购买 买了",
  "plan intend goal dream hope 计划 打算 目标 梦想",
  "event conference meeting workshop 会议 活动",
  "volunteer charity community 志愿 公益",
  "name call nickname 名字 姓名 昵称 叫做",
  "editor ide vim nvim neovim emacs vscode 编辑",
  "shell terminal zsh bash fish 终端 命令",
  "system linux macos windows ubuntu 系统",
  "language python typescript javascript rust java golang 语言",
  "package npm pnpm yarn 依赖",
  "database postgres postgresql mysql sqlite mongodb redis 数据库",
  "deploy server cloud docker kubernetes 部署 服务器",
  "test testing vitest jest pytest 测试",
  "reply answer respond tone 回答 回复 语气",
];

const relatedWeight = 0.1;

let related: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** Terms of the topics that a term belongs to, itself among them, and what they count. */
export function relatedTo(term: string): { readonly terms: Iterable<string>; readonly weight: number } {
  related ??= relatedTerms();
  return { terms: related.get(term) ?? [], weight: relatedWeight };
}

function relatedTerms(): ReadonlyMap<string, ReadonlySet<string>> {
  const reader = new TermReader();
  const byTerm = new Map<string, Set<string>>();
  for (const topic of topics) {
    const terms = new Set<string>();
    const add = (term: string, weight: number) => {
      if (weight === 1) terms.add(term);
    };
    reader.each(topic, {
      term: add,
      character: () => {},
      pair: (first, second, weight) => add(String.fromCharCode(first, second), weight),
    });
    for (const term of terms) byTerm.set(term, new Set([...(byTerm.get(term) ?? []), ...terms]));
  }
  return byTerm;
}
