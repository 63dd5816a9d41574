/** The category of a sentence about any subject, by its words. */
import type { MemoryCategory } from "../../memory-types.ts";

const PERSON =
  "users?|customers?|clients?|authors?|owners?|maintainers?|persons?|people|man|men|wom[ae]n|boss|managers?|leads?|colleagues?|friends?|wife|husband|partners?|sons?|daughters?|child(?:ren)?|kids?|brothers?|sisters?|mother|father|parents?|neighbours?|designers?|developers?|engineers?|students?|teachers?|assistants?|doctors?";
/** About a thing and not a person: "the importer lives in", "the branch name is", or a place that is a path or an address. */
const ABOUT_THING = `(?:the|our|this|that|an?|each|every|all|no) (?!(?:\\p{L}+ )?(?:${PERSON})(?!\\p{L}))|.*lives? in \\S*(?:\\d|[/.:]\\S)`;
/** A passive in the present is a state: "is started by". */
const NOT_NOW = "(?<!\\b(?:is|are|be|being|gets?|can) (?:\\p{L}+ )?)";
const HAPPENED =
  "decided|agreed|met|started|finished|released|moved|shipped|merged|launched|joined|visited|bought|sold|deployed|migrated|switched|upgraded|replaced|renamed|removed|dropped|announced|signed|cancelled|postponed|happened|went|won|crashed|failed|became";
const BEFORE = "yesterday|last (?:week|month|year|night|\\p{L}+day)|\\d+ (?:days?|weeks?|months?|years?) ago";

const SENTENCES: readonly (readonly [RegExp, MemoryCategory])[] = [
  [
    /\b(?:prefers?|likes|(?:i|we|you|they|users?|people) (?:\p{L}+ )?like|loves?|enjoys?|hates?|dislikes?|favou?rite|bevorzugt|mag)\b|喜欢|偏好|讨厌|好き/iu,
    "preferences",
  ],
  [
    new RegExp(
      `^(?!${ABOUT_THING}).*\\b(?:name is|works? (?:as|at|for)|lives? in|born|is allergic|speaks)\\b|名字|住在|我叫`,
      "iu",
    ),
    "profile",
  ],
  [/\b(?:fixed(?! (?:at|to))|resolved|solved|caused by|root cause|workaround)\b|修复|解决/iu, "cases"],
  [/\b(?:we|our team|the (?:team|project|repo(?:sitory)?)) uses?\b|我们(?:使用|用)/iu, "preferences"],
  [/\b(?:always|never|whenever|every time|must|should)\b|总是|从不|必须/iu, "patterns"],
  [new RegExp(`${NOT_NOW}\\b(?:${HAPPENED})\\b|\\b(?:${BEFORE})\\b|决定|开始|完成`, "iu"), "events"],
];

export function categoryOfSentence(text: string): MemoryCategory | undefined {
  return SENTENCES.find(([pattern]) => pattern.test(text))?.[1];
}

/** A word that may be followed by another one of the same clause. */
const WORD = "[^:;,!?\\s]*[^:;,.!?\\s]";
const COPULA = "is|are|isn't|aren't|has|have|doesn't|don't";
/** In the third person, or of a subject in the plural. */
const VERB =
  "\\p{L}{2,}[^\\Ws']s|(?<=s )(?:run|happen|live|go|come|use|need|start|end|take|expire|belong|stay|depend|contain|return|listen|support|work|cost)";
/** A state in the present: a subject of up to eight words, then a verb and more. An imperative has no subject, a label has a colon. */
const STATE = new RegExp(`^${WORD}(?: ${WORD}){0,7}? (?:${COPULA}|${VERB}) \\S`, "u");

export function statesFact(text: string): boolean {
  return STATE.test(text);
}
