/** Ranks gathered messages like memories: by words, semantics, speaker and neighbouring messages, on one scale. */
import { setImmediate } from "node:timers/promises";
import { relatedTo } from "../../../search/calibrated/is-related.ts";
import { scoreOf, turnScorer } from "../../../search/calibrated/rank-turns.ts";
import { stemsOfNames } from "../../../search/calibrated/speaker-names.ts";
import type { StemmedTexts } from "../../../search/calibrated/stemmed-texts.ts";
import { covered, sharesOf } from "../../../search/calibrated/term-strengths.ts";
import { type Surrounded, type Turn, windowStrengths } from "../../../search/calibrated/window-strengths.ts";
import { byTime, type Candidate } from "../candidates.ts";
import type { PooledDocument } from "./gather-documents.ts";
import type { LoadedDocument } from "./loaded-documents.ts";
import { type AskedTerms, TurnTexts } from "./turn-texts.ts";

export interface AskedQuestion extends AskedTerms {
  readonly text: string;
}

/** Documents that are looked into before others get a turn. */
const BREATH = 20;

/** The best first, without what has nothing to do with the question. A score does not depend on what else was found. */
export async function rankDocuments(
  question: AskedQuestion,
  documents: readonly PooledDocument[],
  stems: StemmedTexts,
): Promise<readonly Candidate[]> {
  const asked = withoutNames(question, documents);
  const turns = new Turns(asked, documents, stems);
  const partsOf = turnScorer(asked);
  const coverageOf = coverageBy(asked);
  const isRelated = relatedTo(asked.text);
  const ranked: Candidate[] = [];
  for (const [place, { own, before, after }] of documents.entries()) {
    const turn = {
      own: turns.whole(own),
      before: before.map((one) => turns.said(one)),
      after: after.map((one) => turns.said(one)),
    };
    const parts = partsOf(turn);
    if (isRelated({ cosine: turn.own.cosine, coverage: coverageOf(turn) }, parts))
      ranked.push({ ref: own.ref, time: own.time, certain: scoreOf(parts), phrases: [] });
    if (place % BREATH === BREATH - 1) await setImmediate();
  }
  return ranked.sort((a, b) => b.certain - a.certain || byTime(a, b));
}

/** The share of the question's weight that is said there or right beside, however strongly. */
function coverageBy({ terms }: AskedQuestion): (turn: Surrounded) => number {
  const shares = sharesOf(terms);
  return (turn) => covered(windowStrengths(turn).map(Math.sign), shares);
}

/** All terms where nothing but names is asked for. */
function withoutNames(question: AskedQuestion, documents: readonly PooledDocument[]): AskedQuestion {
  const names = stemsOfNames(documents.map(({ own }) => own.speaker));
  const terms = question.terms.filter(({ stem }) => !names.has(stem));
  return terms.length > 0 ? { ...question, terms } : question;
}

/** Each is worked out once, however many it stands beside. */
class Turns {
  readonly #texts: TurnTexts;
  readonly #cosines: ReadonlyMap<string, number | null>;
  readonly #made = new Map<string, Turn>();

  constructor(question: AskedTerms, documents: readonly PooledDocument[], stems: StemmedTexts) {
    this.#texts = new TurnTexts(question, stems);
    this.#cosines = new Map(documents.map(({ own, cosine }) => [own.name, cosine]));
  }

  /** With all that can be found in it. */
  whole(document: LoadedDocument): Turn {
    const { text, said } = document;
    return text === said ? this.said(document) : this.#turn(document, `${document.name} whole`, text);
  }

  /** With its words alone, as they tell what others around it are about. */
  said(document: LoadedDocument): Turn {
    return this.#turn(document, document.name, document.said);
  }

  #turn({ name, speaker }: LoadedDocument, key: string, text: string): Turn {
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const strengths = this.#texts.strengthsOf(key, text);
    const turn = { speaker, strengths, cosine: this.#cosines.get(name) ?? null };
    this.#made.set(key, turn);
    return turn;
  }
}
