/**
 * Prefers the later of two statements. If a correction names the value it replaces ("0.0173, not 0.0137"; 「57600 ではなく 38400」), or a
 * decision is made again on the same subject, the earlier statement is left out, and the later one gains value and says so
 * if its own words do not. Contradictions without such words are not detected.
 */

import { termsOf } from "../../../text/language/content-terms.ts";
import { CUE } from "../../../text/language/cues.ts";
import { type Anchor, type AnchorKind, literalAnchors } from "../anchors.ts";
import type { WeighedStatement } from "./statement.ts";

/** Value that a statement gains by correcting another one. */
const BONUS = 2;
/** Two decisions are about the same subject if they share this share of the smaller one's terms. */
const SAME_MATTER = 0.5;
/** A decision is compared with this many earlier ones, which keeps the time linear. */
const DECISIONS_BACK = 60;
const VALUES: ReadonlySet<AnchorKind> = new Set(["number", "identifier", "date"]);
/** The rejecting word before the old value, and after it. */
const REJECTED_BEHIND =
  /(?:\bnot|\binstead of|\brather than|\bno longer|\bstatt|\bnicht|\bau lieu d[e']|\bplutôt que|\ben lugar de|\ben vez de|而不是|不是)[ :]*((?:[^,.;:!?，。；、]|[.,:](?=\d)){1,40})/giu;
const REJECTED_BEFORE =
  /((?:[^,.;:!?，。；、\s]|[.,:](?=\d)){1,20}(?: [^,.;!?，。；、:\s]{1,12})?) ?(?:ではなく|じゃなく|아니라|而是)/gu;
const REJECTING_SUFFIX = /ではなく|じゃなく|아니라|而是/;
/** `Let's do it` is also a decision, but only statements with one of these words are compared. */
const DECIDED = /decision|decided|entscheid|entschied|beschlossen|décid|decid|决定|決定|결정/i;

/** The statements without those that were corrected. */
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

/** Thoughts and tool output correct nothing. */
function isSpoken({ speaker, anchors }: WeighedStatement): boolean {
  return anchors.length > 1 && (speaker === "user" || speaker === "assistant" || speaker === "");
}

function remember(carriers: Map<string, number[]>, key: string, place: number): void {
  const list = carriers.get(key);
  if (list === undefined) carriers.set(key, [place]);
  else if (list.length < 50) list.push(place);
}

/** Earlier statements that contain the value which this one rejects and share a subject with it. */
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

/** A value is corrected by another of its kind; `not 0.0137` alone is only a denial. */
function offersAnother({ anchors }: WeighedStatement, old: Anchor): boolean {
  return anchors.some(({ kind, key }) => kind === old.kind && key !== old.key);
}

/** A rule is valid until it is explicitly revoked. */
function isTakenBack(earlier: WeighedStatement | undefined, later: WeighedStatement, value: string): boolean {
  if (earlier === undefined || (earlier.cues & CUE.constraint) !== 0) return false;
  return isDistinctive(value) || sharesTerm(later, earlier);
}

function rejectedSpans(text: string): string[] {
  const behind = [...text.matchAll(REJECTED_BEHIND)];
  const before = REJECTING_SUFFIX.test(text) ? [...text.matchAll(REJECTED_BEFORE)] : [];
  return [...behind, ...before].map((match) => match[1] ?? "");
}

/** A value of five characters is rarely shared by chance. */
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

/** The terms of a decision without the word `decision` itself. */
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
