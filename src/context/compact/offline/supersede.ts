/**
 * Lets the later statement win. A correction names what it takes back ("0.0173, not 0.0137"; 「57600 ではなく 38400」), or a
 * decision is taken again on the same matter: the earlier statement is left out, the later one gains, and says so
 * where its own words do not. Contradictions that no word marks are not seen.
 */

import { termsOf } from "../../../text/language/content-terms.ts";
import { CUE } from "../../../text/language/cues.ts";
import { type Anchor, type AnchorKind, literalAnchors } from "../anchors.ts";
import type { WeighedStatement } from "./statement.ts";

/** What a statement gains by putting something right. */
const BONUS = 2;
/** Share of the smaller statement's terms by which two decisions are about the same matter. */
const SAME_MATTER = 0.5;
/** Decisions further back than this many decisions are not compared, which keeps the time linear. */
const DECISIONS_BACK = 60;
const VALUES: ReadonlySet<AnchorKind> = new Set(["number", "identifier", "date"]);
/** Where the old value stands behind the word that rejects it, and where before it. */
const REJECTED_BEHIND =
  /(?:\bnot|\binstead of|\brather than|\bno longer|\bstatt|\bnicht|\bau lieu d[e']|\bplutôt que|\ben lugar de|\ben vez de|而不是|不是)[ :]*((?:[^,.;:!?，。；、]|[.,:](?=\d)){1,40})/giu;
const REJECTED_BEFORE =
  /((?:[^,.;:!?，。；、\s]|[.,:](?=\d)){1,20}(?: [^,.;!?，。；、:\s]{1,12})?) ?(?:ではなく|じゃなく|아니라|而是)/gu;
const REJECTING_SUFFIX = /ではなく|じゃなく|아니라|而是/;
/** `Let's do it` is a decision too, but only what calls itself one is held against another. */
const DECIDED = /decision|decided|entscheid|entschied|beschlossen|décid|decid|决定|決定|결정/i;

/** Without the statements that were taken back. */
export function supersede(statements: readonly WeighedStatement[]): WeighedStatement[] {
  const result = [...statements];
  const lost = new Set<number>();
  const carriers = new Map<string, number[]>();
  const decisions: number[] = [];
  for (const [place, statement] of statements.entries()) {
    const isDecision = (statement.cues & CUE.decision) !== 0 && DECIDED.test(statement.text);
    const rejected = isSpoken(statement) ? rejectedIn(statement, carriers, statements) : [];
    const decided = isDecision ? decidedBefore(statement, decisions, statements) : [];
    for (const old of [...rejected, ...decided]) lost.add(old);
    if (rejected.length + decided.length > 0)
      result[place] = {
        ...statement,
        replaces: statement.replaces || decided.length > 0,
        salience: statement.salience + BONUS,
      };
    if (isDecision) decisions.push(place);
    for (const { key } of statement.anchors) remember(carriers, key, place);
  }
  return result.filter((_, place) => !lost.has(place));
}

/** What was only thought or printed corrects nobody. */
function isSpoken({ speaker, anchors }: WeighedStatement): boolean {
  return anchors.length > 1 && (speaker === "user" || speaker === "assistant" || speaker === "");
}

function remember(carriers: Map<string, number[]>, key: string, place: number): void {
  const list = carriers.get(key);
  if (list === undefined) carriers.set(key, [place]);
  else if (list.length < 50) list.push(place);
}

/** Earlier statements that hold the value which this one rejects, and speak of something it speaks of. */
function rejectedIn(
  statement: WeighedStatement,
  carriers: ReadonlyMap<string, readonly number[]>,
  statements: readonly WeighedStatement[],
): number[] {
  const found: number[] = [];
  for (const span of rejectedSpans(statement.text))
    for (const old of literalAnchors(span))
      if (VALUES.has(old.kind) && offersAnother(statement, old))
        for (const place of carriers.get(old.key) ?? [])
          if (isTakenBack(statements[place], statement, old.text)) found.push(place);
  return found;
}

/** A value is corrected by another of its kind; `not 0.0137` alone only denies. */
function offersAnother({ anchors }: WeighedStatement, old: Anchor): boolean {
  return anchors.some(({ kind, key }) => kind === old.kind && key !== old.key);
}

/** A rule stands until somebody says otherwise in so many words. */
function isTakenBack(earlier: WeighedStatement | undefined, later: WeighedStatement, value: string): boolean {
  if (earlier === undefined || (earlier.cues & CUE.constraint) !== 0) return false;
  return isDistinctive(value) || sharesTerm(later, earlier);
}

function rejectedSpans(text: string): string[] {
  const behind = [...text.matchAll(REJECTED_BEHIND)];
  const before = REJECTING_SUFFIX.test(text) ? [...text.matchAll(REJECTED_BEFORE)] : [];
  return [...behind, ...before].map((match) => match[1] ?? "");
}

/** Five characters of a value are rarely shared by chance. */
function isDistinctive(value: string): boolean {
  return value.replace(/\D/g, "").length >= 4;
}

function sharesTerm(statement: WeighedStatement, other: WeighedStatement): boolean {
  return other.terms.some((term) => statement.terms.includes(term));
}

function decidedBefore(
  statement: WeighedStatement,
  decisions: readonly number[],
  statements: readonly WeighedStatement[],
): number[] {
  const own = matterOf(statement);
  return decisions.slice(-DECISIONS_BACK).filter((place) => {
    const other = statements[place];
    return other !== undefined && other.speaker === statement.speaker && isSameMatter(own, matterOf(other));
  });
}

/** The words of a decision without the word `decision` itself. */
function matterOf({ terms }: WeighedStatement): readonly string[] {
  return terms.filter((term) => !DECISION_WORDS.has(term));
}

const DECISION_WORDS = new Set(
  termsOf("decision decisions decided reversed Entscheidung décision decisión 决定 決定 결정"),
);

function isSameMatter(a: readonly string[], b: readonly string[]): boolean {
  const shared = a.filter((term) => b.includes(term)).length;
  return (
    shared >= 2 &&
    shared < Math.max(a.length, b.length) &&
    shared >= SAME_MATTER * Math.min(a.length, b.length)
  );
}
