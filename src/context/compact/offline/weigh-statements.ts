/**
 * The value of a statement alone: its speaker and place, its marks (rule, decision, correction, …), its
 * amount of content, and its age.
 */

import { CUE, type CueName } from "../../../text/language/cues.ts";
import { readWords } from "../../../text/language/read-words.ts";
import { type Anchor, type KnownTokens, literalAnchors } from "../anchors.ts";
import type { SummarySource } from "../source.ts";
import { CUE_VALUE, SCORING, STANDING, VOICE } from "./scoring.ts";
import type { Speaker, Statement, WeighedStatement } from "./statement.ts";

/** Statements with these marks age slowly. */
const LASTING = CUE.constraint | CUE.decision | CUE.correction | CUE.notable;
/** The only marks that count in tool output: a rule in a listing is not a rule of the conversation. */
const OBSERVED = CUE.error | CUE.finding;
const CUES = Object.keys(CUE) as CueName[];

/** Announcements; the results are reported after them. */
const ANNOUNCES =
  /^(?:(?:now|next|first|then|okay|ok|great|good|perfect)[,.! ]+)*(?:let me|let['’]s|i['’]ll|i will|i['’]m (?:going to|now|checking|reading|running|looking)|(?:i )?need to|i should)\b/i;
/** `Now update the call site:` */
const NEXT_STEP = /^(?:now|next|first|then)\b.*[:：…]$/i;

export function weighStatements(
  statements: readonly Statement[],
  kind: SummarySource["kind"],
): WeighedStatement[] {
  const { fading, marks, newest } = SCORING[kind];
  const last = Math.max(1, statements.length - 1);
  // The first request does not age: all later work refers to it.
  const request = statements.findIndex(({ speaker }) => speaker === "user");
  const hasTold = statements.some((one) => one.speaker === "assistant" && !isAnnouncement(one));
  const known: KnownTokens = new Map();
  return statements.map((statement, place) => {
    const { cues: all, terms } = readWords(statement.text);
    const cues = isHeard(statement.speaker) ? all : all & OBSERVED;
    const anchors = distinct(literalAnchors(statement.text, known));
    const age = place === request ? 0 : 1 - place / last;
    const loss = (cues & LASTING ? fading * SCORING.lastingFading : fading) * age;
    const worth = statement.standing + marks * VOICE[statement.speaker] * cueValue(cues);
    const fullness =
      fullnessOf(terms.length + 2 * anchors.length, statement.text) *
      (isAnnouncement(statement) ? announced(cues, hasTold) : 1) *
      (isPrinted(statement) ? SCORING.printed : 1);
    return {
      ...statement,
      cues,
      anchors,
      terms,
      salience: worth * (1 - loss),
      fullness: fullness * newness(place / last, newest),
    };
  });
}

function isAnnouncement({ speaker, text }: Statement): boolean {
  return speaker === "assistant" && (ANNOUNCES.test(text) || NEXT_STEP.test(text));
}

/** `Let me run the tests` tells nothing after the fact, unless it decides something or the agent says nothing else. */
function announced(cues: number, hasTold: boolean): number {
  return hasTold && (cues & LASTING) === 0 ? 0 : SCORING.lead;
}

function isHeard(speaker: Speaker): boolean {
  return speaker !== "tool" && speaker !== "thinking" && speaker !== "system";
}

/** Grows over the last part of the source, which describes the current state. */
function newness(place: number, gain: number): number {
  return 1 + gain * Math.max(0, 1 - (1 - place) / SCORING.newestShare);
}

/** A line of a tool's output, as opposed to a statement about the call. */
function isPrinted({ speaker, standing }: Statement): boolean {
  return speaker === "tool" && standing <= STANDING.line;
}

/** A sentence has few anchors: comparing them pairwise is cheaper than a table. */
function distinct(anchors: readonly Anchor[]): Anchor[] {
  return anchors.filter(
    (one, place) => anchors.findIndex(({ kind, key }) => key === one.key && kind === one.kind) === place,
  );
}

/** The strongest mark counts in full, the others a third. */
function cueValue(cues: number): number {
  let best = 0;
  let sum = 0;
  for (const name of CUES) {
    if ((cues & CUE[name]) === 0) continue;
    sum += CUE_VALUE[name];
    best = Math.max(best, CUE_VALUE[name]);
  }
  return best + (sum - best) / 3;
}

/** `Thank you.` and `Count away.` have little content, whoever the speaker is; neither has the lead of a list. */
function fullnessOf(words: number, text: string): number {
  const isLead = text.endsWith(":") || text.endsWith("：");
  return (isLead ? SCORING.lead : 1) * Math.min(1, words / SCORING.fullTerms);
}
