/** Ranks gathered messages like memories: by words, semantics, speaker and neighbouring messages, on one scale. */
import { setImmediate } from "node:timers/promises";
import { relatedTo } from "../../../search/calibrated/is-related.ts";
import { isQuestion, termsWithoutNames } from "../../../search/calibrated/question-kinds.ts";
import { scoreOf, scoreTurns, type Candidate as Turned } from "../../../search/calibrated/rank-turns.ts";
import type { StemmedTexts } from "../../../search/calibrated/stemmed-texts.ts";
import { covered, sharesOf } from "../../../search/calibrated/term-strengths.ts";
import { type Surrounded, type Turn, windowStrengths } from "../../../search/calibrated/window-strengths.ts";
import { byTime, type Candidate } from "../candidates.ts";
import type { PooledDocument } from "./gather-documents.ts";
import type { LoadedDocument } from "./loaded-documents.ts";
import { type AskedTerms, TurnTexts } from "./turn-texts.ts";

export interface AskedQuestion extends AskedTerms {
  readonly text: string;
  /** The time of the question. */
  readonly now: number;
}

/** Documents read before yielding to other work. */
const BREATH = 20;

/** Best first, without documents unrelated to the question. */
export async function rankDocuments(
  question: AskedQuestion,
  documents: readonly PooledDocument[],
  stems: StemmedTexts,
): Promise<readonly Candidate[]> {
  const speakers = documents.map(({ own }) => own.speaker);
  const asked = { ...question, terms: termsWithoutNames(question.terms, speakers) };
  const turns = new Turns(asked, documents, stems);
  const candidates: Turned[] = [];
  for (const [place, { own, before, after }] of documents.entries()) {
    candidates.push({
      own: turns.whole(own),
      before: before.map((one) => turns.said(one)),
      after: after.map((one) => turns.said(one)),
      session: own.ref.conversation,
      time: own.time,
      key: [],
    });
    if (place % BREATH === BREATH - 1) await setImmediate();
  }
  const coverageOf = coverageBy(asked);
  const isRelated = relatedTo(asked.text);
  const ranked: Candidate[] = [];
  for (const [place, parts] of scoreTurns(asked, candidates).entries()) {
    const [document, candidate] = [documents[place], candidates[place]];
    if (document === undefined || candidate === undefined) continue;
    if (isRelated({ cosine: candidate.own.cosine, coverage: coverageOf(candidate) }, parts))
      ranked.push({ ref: document.own.ref, time: document.own.time, certain: scoreOf(parts), phrases: [] });
  }
  return ranked.sort((a, b) => b.certain - a.certain || byTime(a, b));
}

/** The share of the question's weight in the turn or its direct neighbours, regardless of strength. */
function coverageBy({ terms }: AskedQuestion): (turn: Surrounded) => number {
  const shares = sharesOf(terms);
  return (turn) => covered(windowStrengths(turn).map(Math.sign), shares);
}

/** Each turn is evaluated once, however many neighbours it has. */
class Turns {
  readonly #texts: TurnTexts;
  readonly #cosines: ReadonlyMap<string, number | null>;
  readonly #made = new Map<string, Turn>();

  constructor(question: AskedTerms, documents: readonly PooledDocument[], stems: StemmedTexts) {
    this.#texts = new TurnTexts(question, stems);
    this.#cosines = new Map(documents.map(({ own, cosine }) => [own.name, cosine]));
  }

  /** With all its searchable text. */
  whole(document: LoadedDocument): Turn {
    const { text, said } = document;
    return text === said ? this.said(document) : this.#turn(document, `${document.name} whole`, text);
  }

  /** With its spoken text only, as context of its neighbours. */
  said(document: LoadedDocument): Turn {
    return this.#turn(document, document.name, document.said);
  }

  #turn({ name, speaker }: LoadedDocument, key: string, text: string): Turn {
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const cosine = this.#cosines.get(name) ?? null;
    const turn = { speaker, ...this.#texts.of(key, text), cosine, asks: isQuestion(text) };
    this.#made.set(key, turn);
    return turn;
  }
}
