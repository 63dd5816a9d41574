/**
 * The default ranking: words, semantics, speaker and neighbouring messages, on one scale for every question.
 * Gathered memories become turns of dialogue, which are scored; a memory that is not related to the question scores
 * nothing.
 */

import type { MemoryText } from "../../../memory-types.ts";
import { relatedTo } from "../../../search/calibrated/is-related.ts";
import type { QuestionTerm } from "../../../search/calibrated/question-term.ts";
import { type Question, scoreOf, turnScorer } from "../../../search/calibrated/rank-turns.ts";
import { stemsOfNames } from "../../../search/calibrated/speaker-names.ts";
import type { StemmedTexts } from "../../../search/calibrated/stemmed-texts.ts";
import { LONGEST_MEAN, strengthsFor } from "../../../search/calibrated/term-strengths.ts";
import type { Turn } from "../../../search/calibrated/window-strengths.ts";
import type { NeighbouringMemory, StoredMemory } from "../../../store/memory-store.ts";
import { keyName } from "../../dedup/fact-key.ts";
import { nameOf, type Pool, type PoolEntry } from "../gather-pool.ts";

export function rankCalibrated(
  text: string,
  {
    pool,
    texts,
    isTagged,
  }: { readonly pool: Pool; readonly texts: StemmedTexts; readonly isTagged: boolean },
): (entry: PoolEntry) => { readonly score: number; readonly parts: Readonly<Record<string, number>> } {
  const question: Question = { text, terms: termsFor(pool) };
  const turnOf = turnMaker(question, pool, texts);
  const ownTurn = (memory: StoredMemory) => turnOf({ ...memory, ref: memory }, memory.factKey);
  const partsOf = turnScorer(question);
  const isRelated = isTagged ? () => true : relatedTo(text);
  return (entry) => {
    const { memory, around, cosine, words } = entry;
    const beside = (memories: readonly NeighbouringMemory[]) => memories.map((one) => turnOf(one, null));
    const own = ownTurn(memory);
    const parts = partsOf({ own, before: beside(around.before), after: beside(around.after) });
    const score = isRelated({ cosine, coverage: words.coverage }, parts) ? scoreOf(parts) : 0;
    return { score, parts: { ...parts } };
  };
}

/** Without names of speakers. */
function termsFor({ entries, statistics }: Pool): readonly QuestionTerm[] {
  const names = stemsOfNames(entries.map(({ memory }) => memory.speaker));
  const known = statistics.stemmed.terms.filter(({ documents }) => documents > 0);
  const terms = known.filter(({ term }) => !names.has(term));
  return (terms.length > 0 ? terms : known).map(({ term, idf }) => ({ stem: term, weight: idf }));
}

/** Each turn is worked out once, however many it stands beside. */
function turnMaker(
  { terms }: Question,
  { entries, statistics }: Pool,
  texts: StemmedTexts,
): (memory: NeighbouringMemory, factKey: string | null) => Turn {
  const cosines = new Map(entries.map(({ memory, cosine }) => [nameOf(memory), cosine]));
  const strengthsOf = strengthsFor(terms, Math.min(LONGEST_MEAN, statistics.meanLength));
  const made = new Map<string, Turn>();
  return (memory, factKey) => {
    const name = nameOf(memory.ref);
    const key = factKey === null ? "" : unsaidKey(memory, factKey);
    const place = key === "" ? name : `${name} ${key}`;
    const known = made.get(place);
    if (known !== undefined) return known;
    const strengths = strengthsOf(texts.of(place, () => wholeText(memory, key)));
    const turn = { speaker: memory.speaker, strengths, cosine: cosines.get(name) ?? null };
    made.set(place, turn);
    return turn;
  };
}

/** What the key is about, where the memory does not say it itself. */
function unsaidKey({ abstract }: MemoryText, factKey: string): string {
  const name = keyName(factKey);
  return abstract.toLowerCase().includes(name) ? "" : name;
}

function wholeText({ abstract, overview, content }: MemoryText, key: string): string {
  return [key, abstract, overview, content].filter((text) => text !== "").join("\n");
}
