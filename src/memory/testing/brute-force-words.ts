/** BM25 over memories, computed by its definition without an index: the reference for the word index. */

import type { StoredMemory } from "../../store/memory-store.ts";
import { tellingWords } from "../../text/language/function-words.ts";
import { stemOf } from "../../text/language/stem.ts";
import { wordsOf } from "../../text/language/words.ts";

export interface BruteScore {
  readonly scope: string;
  readonly number: number;
  readonly plain: number;
  readonly stemmed: number;
  readonly coverage: number;
  readonly length: number;
}

interface Counted {
  readonly memory: StoredMemory;
  readonly length: number;
  /** The frequency of each term. */
  readonly plain: ReadonlyMap<string, number>;
  readonly stemmed: ReadonlyMap<string, number>;
}

export function bruteForceWords(memories: readonly StoredMemory[], question: string): readonly BruteScore[] {
  const counted = memories.map(countWords);
  const stemmed = new Set(tellingWords(pairsAndLone(question)).map(stemOf));
  const plainScore = scorerFor(counted, "plain", new Set(allTerms(question)));
  const stemmedScore = scorerFor(counted, "stemmed", stemmed);
  return counted.map((one) => ({
    scope: one.memory.scope,
    number: one.memory.number,
    plain: plainScore(one).score,
    ...(({ score, coverage }) => ({ stemmed: score, coverage }))(stemmedScore(one)),
    length: one.length,
  }));
}

function scorerFor(counted: readonly Counted[], recipe: "plain" | "stemmed", terms: ReadonlySet<string>) {
  const filled = counted.filter(({ length }) => length > 0);
  const mean = Math.max(1, filled.reduce((sum, { length }) => sum + length, 0) / Math.max(1, filled.length));
  const weights = [...terms].map((term) => {
    const holders = counted.filter((one) => one[recipe].has(term)).length;
    return [term, Math.log(1 + (Math.max(0, filled.length - holders) + 0.5) / (holders + 0.5))] as const;
  });
  const all = weights.reduce((sum, [, weight]) => sum + weight, 0);
  return (one: Counted) => {
    const had = weights.filter(([term]) => one[recipe].has(term));
    const score = had.reduce((sum, [term, weight]) => {
      const count = one[recipe].get(term) ?? 0;
      return sum + (weight * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * one.length) / mean));
    }, 0);
    const covered = had.reduce((sum, [, weight]) => sum + weight, 0);
    return { score, coverage: all === 0 ? 0 : covered / all };
  };
}

function countWords(memory: StoredMemory): Counted {
  const { abstract, overview, content, tags } = memory;
  const isLong = overview !== "" || content !== "";
  const terms = [abstract, ...(isLong ? [abstract] : []), overview, content].flatMap(allTerms);
  const ofTags = tags.flatMap(allTerms);
  return {
    memory,
    length: [abstract, overview, content].reduce((sum, text) => sum + wordsOf(text).length, 0),
    plain: counts(terms, ofTags),
    stemmed: counts(terms.map(stemOf), ofTags.map(stemOf)),
  };
}

/** Tags count where the text has no such word. */
function counts(ofText: readonly string[], ofTags: readonly string[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const term of ofText) found.set(term, (found.get(term) ?? 0) + 1);
  const inText = new Set(found.keys());
  for (const term of ofTags) if (!inText.has(term)) found.set(term, (found.get(term) ?? 0) + 1);
  return found;
}

function allTerms(text: string): string[] {
  const words = wordsOf(text);
  return words.flatMap(({ text: word, isGlued }, i) =>
    isGlued ? [word, (words[i - 1]?.text ?? "") + word] : [word],
  );
}

function pairsAndLone(text: string): string[] {
  const words = wordsOf(text);
  return words.flatMap(({ text: word, isGlued }, i) => {
    if (isGlued) return [(words[i - 1]?.text ?? "") + word];
    return words[i + 1]?.isGlued === true ? [] : [word];
  });
}
