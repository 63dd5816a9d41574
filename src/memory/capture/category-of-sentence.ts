/** The category of a sentence about any subject, by its words. */
import type { MemoryCategory } from "../../memory-types.ts";

const SENTENCES: readonly (readonly [RegExp, MemoryCategory])[] = [
  [
    /\b(?:prefers?|likes?|loves?|enjoys?|hates?|dislikes?|favou?rite|bevorzugt|mag)\b|喜欢|偏好|讨厌|好き/iu,
    "preferences",
  ],
  [/\b(?:name is|works? (?:as|at|for)|lives? in|born|is allergic|speaks)\b|名字|住在|我叫/iu, "profile"],
  [/\b(?:fixed|resolved|solved|caused by|root cause|workaround)\b|修复|解决/iu, "cases"],
  [/\b(?:we|our team|the (?:team|project|repo(?:sitory)?)) uses?\b|我们(?:使用|用)/iu, "preferences"],
  [/\b(?:always|never|whenever|every time|must|should)\b|总是|从不|必须/iu, "patterns"],
  [/\b(?:decided|met|started|finished|released|moved|shipped|merged|agreed)\b|决定|开始|完成/iu, "events"],
];

export function categoryOfSentence(text: string): MemoryCategory | undefined {
  return SENTENCES.find(([pattern]) => pattern.test(text))?.[1];
}
