/**
 * The default ranking. Gathered memories become turns of dialogue, which `scoreTurns` scores; a memory that is not
 * related to the question scores 0, or nearly 0 if that is uncertain.
 */

import type { MemoryText } from "../../../memory-types.ts";
import { hasIdentifier, relatedTo, unrelatedScore } from "../../../search/calibrated/is-related.ts";
import { isQuestion, termsWithoutNames } from "../../../search/calibrated/question-kinds.ts";
import { type Candidate, scoreOf, scoreTurns } from "../../../search/calibrated/rank-turns.ts";
import {
  type StemmedPassages,
  type StemmedTexts,
  stemsOf,
  wordsIn,
} from "../../../search/calibrated/stemmed-texts.ts";
import { LONGEST_MEAN, type Strengths, strengthsFor } from "../../../search/calibrated/term-strengths.ts";
import type { Turn } from "../../../search/calibrated/window-strengths.ts";
import type { NeighbouringMemory } from "../../../store/memory-store.ts";
import { keyName } from "../../dedup/fact-key.ts";
import { nameOf, type PoolEntry } from "../gather-pool.ts";
import type { RankInput, Scoring } from "../rank-pool.ts";

export function rankCalibrated({ question: text, now, pool, texts, isTagged }: RankInput): Scoring {
  const { entries, statistics } = pool;
  const known = statistics.stemmed.terms.filter(({ documents }) => documents > 0);
  const terms = termsWithoutNames(
    known.map(({ term, idf }) => ({ stem: term, weight: idf })),
    entries.map(({ memory }) => memory.speaker),
  );
  const meanWords = Math.min(LONGEST_MEAN, statistics.meanLength);
  const turns = new Turns(entries, texts, strengthsFor(terms, meanWords));
  const candidates = entries.map((entry) => turns.surrounded(entry));
  const isRelated = isTagged ? () => true : relatedTo(text);
  const scored = new Map<PoolEntry, ReturnType<Scoring>>();
  for (const [place, parts] of scoreTurns({ text, terms, meanWords, now }, candidates).entries()) {
    const [entry, candidate] = [entries[place], candidates[place]];
    if (entry === undefined || candidate === undefined) continue;
    const { memory, cosine, words } = entry;
    const likeness = {
      cosine,
      coverage: words.coverage,
      hasIdentifier: hasIdentifier(terms, candidate.own.strengths),
    };
    const score = isRelated(likeness, parts)
      ? scoreOf(parts)
      : unrelatedScore(text, wholeText(memory, ""), cosine);
    scored.set(entry, { score, parts: { ...parts } });
  }
  return (entry) => scored.get(entry) ?? { score: 0, parts: {} };
}

/** Computes each turn once, even if it is a neighbour of several. */
class Turns {
  readonly #cosines: ReadonlyMap<string, number | null>;
  readonly #texts: StemmedTexts;
  readonly #strengthsOf: (passages: StemmedPassages) => Strengths;
  readonly #made = new Map<string, Turn>();

  constructor(
    entries: readonly PoolEntry[],
    texts: StemmedTexts,
    strengthsOf: (passages: StemmedPassages) => Strengths,
  ) {
    this.#cosines = new Map(entries.map(({ memory, cosine }) => [nameOf(memory), cosine]));
    this.#texts = texts;
    this.#strengthsOf = strengthsOf;
  }

  surrounded({ memory, around }: PoolEntry): Candidate {
    const source = memory.sources.find(({ kind }) => kind === "origin");
    return {
      own: this.#turn({ ...memory, ref: memory }, memory.factKey),
      before: around.before.map((one) => this.#turn(one, null)),
      after: around.after.map((one) => this.#turn(one, null)),
      session: source?.conversation ?? null,
      time: Date.parse(around.saidAt ?? memory.validFrom),
      key: memory.factKey === null ? [] : stemsOf(keyName(memory.factKey)),
    };
  }

  #turn(memory: NeighbouringMemory, factKey: string | null): Turn {
    const name = nameOf(memory.ref);
    const key = factKey === null ? "" : unsaidKey(memory, factKey);
    const place = key === "" ? name : `${name} ${key}`;
    const known = this.#made.get(place);
    if (known !== undefined) return known;
    const passages = this.#texts.of(place, () => wholeText(memory, key));
    const turn = {
      speaker: memory.speaker,
      strengths: this.#strengthsOf(passages),
      cosine: this.#cosines.get(name) ?? null,
      length: wordsIn(passages),
      asks: isQuestion(memory.content === "" ? memory.abstract : memory.content),
    };
    this.#made.set(place, turn);
    return turn;
  }
}

/** The name of the key, if the text of the memory does not contain it. */
function unsaidKey({ abstract }: MemoryText, factKey: string): string {
  const name = keyName(factKey);
  return abstract.toLowerCase().includes(name) ? "" : name;
}

function wholeText({ abstract, overview, content }: MemoryText, key: string): string {
  return [key, abstract, overview, content].filter((text) => text !== "").join("\n");
}
