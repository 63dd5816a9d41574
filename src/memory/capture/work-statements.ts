/**
 * Statements about the work: decisions, corrections, rules, wishes and facts. In a conversation about software,
 * most of these sentences are worth keeping; in ordinary talk few are, so there a clause must name a software term
 * and score higher.
 */
import type { MemoryCategory } from "../../memory-types.ts";
import { clausesOf } from "./clauses.ts";
import { standsAlone } from "./stands-alone.ts";
import { isAboutWork, isEnglish, type Sign, scoreOf, signsOf } from "./statement-signs.ts";

interface WorkStatement {
  readonly category: MemoryCategory;
  readonly clause: string;
  readonly score: number;
  readonly signs: readonly Sign[];
}

const ENOUGH = { work: 1.25, talk: 2.5 } as const;
/** The maximum length of a clause in ordinary talk. */
const LONGEST_TALK = 150;
/** People who type to an assistant write no headings, so an issue, a plan or a page was pasted. */
const HEADING = /^#{1,6} \S/gm;
const MOST_HEADINGS = 1;
/** A transcript of speech, in which people think aloud. */
const SPEECH = /(?<!\p{L})(?:um+|uh+|mm-?hmm)(?!\p{L})|\{\p{L}+\}/iu;

export function isDocument(message: string): boolean {
  return (message.match(HEADING) ?? []).length > MOST_HEADINGS;
}

export function isSpeech(message: string): boolean {
  return SPEECH.test(message);
}

/** In sessions of coding agents at least half of the messages name a software term, in other talk at most a fifth. */
const WORK_SHARE = 1 / 3;
/** A single message about software may be a remark. */
const LEAST_ABOUT = 2;

export function isWorkTalk(messages: readonly string[]): boolean {
  const about = messages.filter((text) => isAboutWork(text)).length;
  return about >= LEAST_ABOUT && about >= WORK_SHARE * messages.length;
}

export function workStatements(sentence: string, isWork: boolean): readonly WorkStatement[] {
  return clausesOf(sentence).flatMap((clause) => {
    const signs = isEnglish(clause) ? signsOf(clause) : [];
    const score = scoreOf(signs);
    const isEnough = isWork
      ? score >= ENOUGH.work
      : score >= ENOUGH.talk && clause.length <= LONGEST_TALK && isAboutWork(clause);
    if (!isEnough || !standsAlone(clause)) return [];
    return [{ category: categoryOf(clause, signs), clause, score, signs }];
  });
}

function categoryOf(clause: string, signs: readonly Sign[]): MemoryCategory {
  const has = (...names: readonly Sign[]) => names.some((name) => signs.includes(name));
  if (has("own wish") || /^(?:we|i) (?:\p{L}+ )?(?:use|prefer)(?!\p{L})/iu.test(clause)) return "preferences";
  if (/(?<!\p{L})(?:because|caused?|turns out|came from)(?!\p{L})/iu.test(clause)) return "cases";
  if (has("obligation") && (has("universal") || /(?<!\p{L})only(?!\p{L})/iu.test(clause))) return "patterns";
  if (has("we will", "let us", "choice", "opinion")) return "events";
  return has("standing order", "obligation", "universal") ? "patterns" : "entities";
}
