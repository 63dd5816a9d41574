/** What kind of memory a heading or a sentence announces, where nobody said it. A guess: rather none than a bold one. */
import type { MemoryCategory } from "../../memory-types.ts";

/** Latin words by how they begin, so that `blog` is no log; other scripts anywhere. */
const HEADINGS: readonly (readonly [RegExp, MemoryCategory])[] = [
  [/\b(?:prefer|favou?rite|likes?\b|dislike|style|taste|vorliebe|préf)|偏好|喜好|好み/iu, "preferences"],
  [/\b(?:profil|about (?:me|the user|you)|user\b|identity|personal\b|who i am)|个人|关于我/iu, "profile"],
  [
    /\b(?:people|persons?\b|contact|team|famil|compan|project|entit|tools?\b|places?\b)|项目|人物/iu,
    "entities",
  ],
  [/\b(?:lesson|fix|bug|issue|problem|solution|troubleshoot|gotcha|pitfall|fehler)|教训|问题/iu, "cases"],
  [
    /\b(?:pattern|workflow|process|habit|convention|rule|guideline|how.?to|routine|regel)|流程|规则/iu,
    "patterns",
  ],
  [
    /\b(?:event|decision|logs?\b|journal|timeline|today|history|done\b|milestone|meeting)|事件|决定/iu,
    "events",
  ],
];

const SENTENCES: readonly (readonly [RegExp, MemoryCategory])[] = [
  [
    /\b(?:prefers?|likes?|loves?|enjoys?|hates?|dislikes?|favou?rite|bevorzugt|mag)\b|喜欢|偏好|讨厌|好き/iu,
    "preferences",
  ],
  [
    /\b(?:(?:my|his|her|user'?s?) name is|name is|works? (?:as|at|for)|lives? in|born|is allergic|speaks)\b|名字|住在|我叫/iu,
    "profile",
  ],
  [/\b(?:fixed|resolved|solved|caused by|root cause|workaround)\b|修复|解决/iu, "cases"],
  [/\b(?:always|never|whenever|every time|must|should)\b|总是|从不|必须/iu, "patterns"],
  [/\b(?:decided|met|started|finished|released|moved|shipped|merged|agreed)\b|决定|开始|完成/iu, "events"],
];

/** By the heading first, because somebody chose it for what stands below. */
export function guessCategory(heading: string, sentence: string): MemoryCategory | undefined {
  return match(HEADINGS, heading) ?? match(SENTENCES, sentence);
}

function match(
  table: readonly (readonly [RegExp, MemoryCategory])[],
  text: string,
): MemoryCategory | undefined {
  return table.find(([pattern]) => pattern.test(text))?.[1];
}
