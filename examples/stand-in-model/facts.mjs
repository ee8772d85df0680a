/**
 * What the stand-in does with a request for extraction. A real model understands the conversation; this one goes by a few
 * sentence patterns, which is enough to see the library at work: what the user states as a preference, a convention, a
 * decision or an environment is a fact; questions, one-off remarks, faults and anything near a credential are not.
 */
import { isQuestion, sentences } from "./words.mjs";

const kept = [
  /我(?:个人|自己|平时|一般|通常|一直|比较|更|还是|特别|也|都|日常)*(?:喜欢|习惯|偏好|讨厌|不喜欢|受不了|常用|用的|只用)/u,
  /(?:叫我|我叫|我的名字是)/u,
  /(?:我们|咱们).{0,24}(?:统一|一律|约定|规定|固定|都用|用的是|只用|必须)/u,
  /(?:我们|我)(?:最后|最终|已经|还是)*(?:决定|定下来|说好)/u,
  /我的?(?:编辑器|电脑|终端|系统|开发机|笔记本)/u,
  /^(?:以后|今后|从现在起).*(?:都|一律|请|别|不要|先)/u,
  /\b(?:my name is|call me)\b/iu,
  /\bI(?:'m| am)? (?:really |usually |always |generally |mostly |personally )*(?:prefer|like|love|hate|use|never)\b/iu,
  /\bwe(?:'ve| have)? (?:all |always |only |never )*(?:use|agreed|decided|settled|deploy|keep)\b/iu,
  /\bour (?:project|team|repo|service|app|codebase|pipeline)\b.*\b(?:is|are|runs?|uses?|must|listens?|lives?|has|have)\b/iu,
  /\bmy (?:editor|laptop|machine|shell|terminal|time ?zone)\b/iu,
  /^(?:from now on|going forward)\b/iu,
];

const passedOver = [
  /密码|口令|密钥|私钥|令牌|凭据|\btokens?\b|api.?key|password|passphrase|secret|credential/iu,
  /今天|昨天|明天|刚才|刚刚|这会儿|上周|昨晚|today|yesterday|tomorrow|just now|this (?:morning|week)|last (?:week|night)|tonight/iu,
  /报错|错误|异常|故障|解决|修好|搞定|\berrors?\b|\bfixed\b|\bsolved\b|\bbroken?\b|\bcrash|\bfail|\bbug\b|\btimed? ?out/iu,
];

/**
 * New facts as `{ content, session? }`, in the order in which they were said. `known` are the contents that are remembered
 * already, `lines` the conversation.
 */
export function deriveFacts({ known, lines }) {
  const seen = new Set(known);
  const facts = [];
  for (const { role, content, session } of lines) {
    if (role !== "user") continue;
    for (const sentence of sentences(content).filter(isFact)) {
      const fact = declare(sentence);
      if (seen.has(fact)) continue;
      seen.add(fact);
      facts.push(session === undefined ? { content: fact } : { content: fact, session });
    }
  }
  return facts;
}

function isFact(sentence) {
  return (
    !isQuestion(sentence) &&
    [...sentence].length <= 160 &&
    kept.some((pattern) => pattern.test(sentence)) &&
    !passedOver.some((pattern) => pattern.test(sentence))
  );
}

/** The sentence as a statement about the user: without its lead-in, in the third person. */
function declare(sentence) {
  const statement = sentence
    .replace(/^(?:对了|另外|还有|哦对|说起来|顺便说一下|顺便说一句|先说一下|补充一下)[，,：:]?\s*/u, "")
    .replace(
      /^(?:oh|by the way|also|and|so|anyway|speaking of which|for the record|one more thing)[,:]\s*/iu,
      "",
    )
    .replace(/，所以.{0,16}(?:你|别|不要).*$|, so (?:please|do|don't)\b.*$/u, "") // Addressed to the assistant.
    .replace(/[。.]$/u, "");
  return /\p{Script=Han}/u.test(statement) ? declareInChinese(statement) : declareInEnglish(statement);
}

function declareInChinese(statement) {
  const third = statement
    .replace(/(?:我们|咱们)的?(?=项目|团队|仓库|服务)/gu, "用户")
    .replace(/我们|咱们/gu, "用户团队")
    .replace(/我/gu, "用户");
  return /^(?:以后|今后|从现在起)/u.test(third) ? `用户要求：${third}` : third;
}

function declareInEnglish(statement) {
  const third = statement
    .replace(/\bI(?:'m| am)\b/gu, "the user is")
    .replace(/\bI ((?:\w+ly |always |never )*)(prefer|like|love|hate|use)\b/gu, "the user $1$2s")
    .replace(/\bI\b/gu, "the user")
    .replace(/\bwe((?: all| always| only| never)*) (use|deploy|keep)\b/giu, "the user's team$1 $2s")
    .replace(/\bwe(?:'ve| have)\b/giu, "the user's team has")
    .replace(/\bwe\b/giu, "the user's team")
    .replace(/\b(?:our|my)\b/giu, "the user's")
    .replace(/\bme\b/giu, "the user");
  if (/^(?:from now on|going forward)/iu.test(third)) return `The user asks: ${third}`;
  return third.charAt(0).toUpperCase() + third.slice(1);
}
