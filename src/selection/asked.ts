/**
 * The sentences of the user's words that ask for something that memories may answer; empty where none does. Most of what
 * is said in the middle of a session tells, answers, or asks after the assistant itself, and is no reason to choose anew.
 */
export function askedIn(words: string): string {
  const sentences = words.match(sentence) ?? [];
  return sentences.filter((one) => asks(one) && !asksAfterAssistant(one)).join(" ");
}

const sentence = /[^.!?。！？；;\n…]+[.!?。！？…]*/gu;

function asks(words: string): boolean {
  return signs.some((sign) => sign.test(words));
}

const signs = [
  // Of all scripts, also those that open a question.
  /[?？؟՞፧¿⁇⁈⁉]/u,
  /吗|呢[。！～\s]*$|什么|怎么|如何|为何|哪[个些里儿位种天年]|谁|几[个点时次岁天]|多少|多久|多大|是否|能不能|可不可以|有没有|是不是|要不要|会不会/u,
  /^\s*(?:请|帮|给我|替我|告诉我|列出|说说|推荐|提醒|查|写|翻译|总结|解释|比较|建议)/u,
  /か[。\s]*$|ください|教えて|까요?[.\s]*$|나요|주세요|알려/u,
  /^\s*(?:what|which|who|whom|whose|when|where|why|how|is|are|was|were|do|does|did|can|could|will|would|should|shall|may|has|have)\b/iu,
  /\b(?:please|tell me|remind me|show me|give me|help me|recommend|suggest|explain|list|summari[sz]e|translate|remember (?:what|which|who|when|where|how))\b/iu,
  /^\s*(?:write|make|create|find|compare|draft|plan|fix|generate|describe|check)\b/iu,
];

/** "And you?": of the one who is asked, and neither of the user nor for a service. */
function asksAfterAssistant(words: string): boolean {
  if (/\byou(?:r|rs|rself)?\b/iu.test(words)) {
    return !/\b(?:i|me|my|mine|we|us|our|(?:can|could|will|would) you)\b/iu.test(words);
  }
  return /[你您]/u.test(words) && !/我|请|帮|推荐|建议|能|可以/u.test(words);
}
