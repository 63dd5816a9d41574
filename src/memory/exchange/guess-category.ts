/** The category that a heading or a sentence suggests. Undefined if neither does. */
import type { MemoryCategory } from "../../memory-types.ts";
import { categoryOfSentence } from "../capture/category-of-sentence.ts";

/** Latin words match at the beginning of a word, so that `blog` does not match `log`; other scripts anywhere. */
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

/** The heading first, since its author chose it for the lines below it. */
export function guessCategory(heading: string, sentence: string): MemoryCategory | undefined {
  return HEADINGS.find(([pattern]) => pattern.test(heading))?.[1] ?? categoryOfSentence(sentence);
}
