/**
 * The most representative sentences of a text: those that share terms with many others, from different places, in any
 * language. Uses the same weights as summaries of conversations, without speakers.
 */

import { readWords } from "../../../../text/language/read-words.ts";
import { termWeights } from "../../../../text/language/term-weights.ts";
import type { SampledSentence } from "./sentence-sample.ts";

const ENOUGH_TERMS = 4;
const MOST = 12;
/** The first sentence introduces the topic. */
const OPENING = 1.5;

export function keySentences(sentences: readonly SampledSentence[]): SampledSentence[] {
  const read = sentences.map((sentence) => ({
    sentence,
    terms: readWords(sentence.text).terms,
    speaker: "" as const,
  }));
  const weights = termWeights(read);
  const said = new Map<string, number>();
  const chosen: SampledSentence[] = [];
  const left = new Set(distinct(read).filter(({ terms }) => terms.length >= ENOUGH_TERMS));
  while (chosen.length < MOST && left.size > 0) {
    const best = [...left].reduce((a, b) => (worth(b) > worth(a) ? b : a));
    left.delete(best);
    chosen.push(best.sentence);
    for (const term of best.terms) said.set(term, (said.get(term) ?? 0) + 1);
  }
  return chosen;

  function worth({ sentence, terms }: (typeof read)[number]): number {
    let sum = 0;
    for (const term of terms) sum += (weights.get(term) ?? 0) / (1 + 2 * (said.get(term) ?? 0));
    const length = Math.max(60, sentence.text.length);
    return ((sentence.index < 5 ? OPENING : 1) * sum) / length ** 0.6;
  }
}

/** Keeps the first of several sentences that say the same. */
function distinct<Read extends { readonly sentence: SampledSentence }>(read: readonly Read[]): Read[] {
  const seen = new Set<string>();
  return read.filter(({ sentence: { text } }) => !seen.has(text) && seen.add(text));
}
