/** Words that say nothing about what a sentence is about. */
const stopWords = wordsOf(
  "a an and are as at be been being but by can could did do does doing for from had has have having he her hers him his how",
  "i if in into is it its me my of on or our ours she should so some such than that the their theirs them then there these",
  "they this those to too us was we were what when where which who whom whose why will with would you your yours about after",
  "also am any because before both just more most not now only other over same very s t d ll ve re m user",
);

export function isEnglishStopWord(word: string): boolean {
  return stopWords.has(word);
}

/** Verbs and nouns whose forms have no ending in common: `base form form`. */
const irregularForms = formsOf(
  "become became;begin began begun;bite bit bitten;blow blew blown;break broke broken;bring brought;build built;buy bought",
  "catch caught;choose chose chosen;come came;deal dealt;draw drew drawn;drink drank drunk;drive drove driven;eat ate eaten",
  "fall fell fallen;feed fed;feel felt;fight fought;find found;fly flew flown;forget forgot forgotten;freeze froze frozen",
  "get got gotten;give gave given;go goes went gone;grow grew grown;hang hung;hear heard;hide hid hidden;hold held;keep kept",
  "know knew known;lead led;leave left;lend lent;lie lain;lose lost;make made;meet met;pay paid;ride rode ridden;ring rang rung",
  "rise rose risen;run ran;say said;see saw seen;seek sought;sell sold;send sent;shake shook shaken;shoot shot;show shown",
  "sing sang sung;sit sat;sleep slept;speak spoke spoken;spend spent;stand stood;steal stole stolen;stick stuck;swear swore",
  "swim swam swum;take took taken;teach taught;tear tore torn;tell told;think thought;throw threw thrown;understand understood",
  "wake woke woken;wear wore worn;win won;write wrote written",
  "child children;foot feet;goose geese;knife knives;leaf leaves;life lives;man men;mouse mice;person people;tooth teeth",
  "wife wives;woman women",
);

/** Light: endings of number and tense, so that `bikes`, `biking` and `biked` are one. Other words stay as they are. */
export function stemOf(word: string): string {
  const base = irregularForms.get(word);
  if (base !== undefined) return stemOf(base);
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  let stem = withoutTense(withoutPlural(word));
  if (/([bdfgklmnprt])\1$/.test(stem)) stem = stem.slice(0, -1);
  if (stem.endsWith("e") && stem.length > 3) stem = stem.slice(0, -1);
  return stem.endsWith("y") && stem.length > 3 ? `${stem.slice(0, -1)}i` : stem;
}

function withoutPlural(word: string): string {
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|x|ss|z)es$/.test(word)) return word.slice(0, -2);
  return /[^su]s$/.test(word) && !word.endsWith("is") ? word.slice(0, -1) : word;
}

function withoutTense(word: string): string {
  if (word.endsWith("ing") && word.length > 5) return word.slice(0, -3);
  if (word.endsWith("ed") && word.length > 4) return word.slice(0, -2);
  return word.endsWith("ly") && word.length > 5 ? word.slice(0, -2) : word;
}

function wordsOf(...lines: string[]): ReadonlySet<string> {
  return new Set(lines.join(" ").split(" "));
}

function formsOf(...lines: string[]): ReadonlyMap<string, string> {
  const families = lines.flatMap((line) => line.split(";")).map((family) => family.split(" "));
  return new Map(families.flatMap(([base = "", ...forms]) => forms.map((form) => [form, base] as const)));
}
