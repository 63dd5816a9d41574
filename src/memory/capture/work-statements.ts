/**
 * What a person says about the work: decisions, corrections, rules, wishes and facts. In a session with a project or with
 * tools, most such sentences are about the work; in ordinary talk few are, so there a clause has to name a thing of
 * software and to score higher.
 */
import type { MemoryCategory } from "../../memory-types.ts";
import { clausesOf } from "./clauses.ts";
import { isAboutWork, type Sign, scoreOf, signsOf } from "./statement-signs.ts";

interface WorkStatement {
  readonly category: MemoryCategory;
  readonly clause: string;
  readonly score: number;
  readonly signs: readonly Sign[];
}

const ENOUGH = { work: 1.5, talk: 2.5 } as const;
/** A transcript of speech, in which people think aloud. */
const SPEECH = /(?<!\p{L})(?:um+|uh+|mm-?hmm)(?!\p{L})|\{\p{L}+\}/iu;

export function isSpeech(message: string): boolean {
  return SPEECH.test(message);
}

export function workStatements(sentence: string, isWork: boolean): readonly WorkStatement[] {
  return clausesOf(sentence).flatMap((clause) => {
    const signs = signsOf(clause);
    const score = scoreOf(signs);
    if (score < (isWork ? ENOUGH.work : ENOUGH.talk) || !(isWork || isAboutWork(clause))) return [];
    return [{ category: categoryOf(clause, signs), clause, score, signs }];
  });
}

function categoryOf(clause: string, signs: readonly Sign[]): MemoryCategory {
  const has = (...names: readonly Sign[]) => names.some((name) => signs.includes(name));
  if (has("own wish") || /^(?:we|i) (?:\p{L}+ )?(?:use|prefer)(?!\p{L})/iu.test(clause)) return "preferences";
  if (/(?<!\p{L})(?:because|caused?|turns out|came from)(?!\p{L})/iu.test(clause)) return "cases";
  if (has("we will", "let us", "choice", "opinion")) return "events";
  return has("standing order", "obligation", "universal") ? "patterns" : "entities";
}
