/**
 * LexRank (Erkan and Radev, 2004), continuous: sentences vote for each other by the cosine of their words, weighed by
 * how rare these are. The highest that still fit are taken, in the order of the text; near repetitions are passed over.
 */
import { estimateTokens } from "../../src/index.ts";
import { wordsOf } from "./rouge.ts";

const DAMPING = 0.85;
const SMALLEST_SIMILARITY = 0.1;
const REPETITION = 0.7;
const ROUNDS = 40;

type Vector = ReadonlyMap<string, number>;

export function lexRank(sentences: readonly string[], tokens: number): string {
  const distinct = [...new Set(sentences)];
  const vectors = vectorsOf(distinct.map(wordsOf));
  const links = linksOf(vectors);
  const ranks = rank(links);
  const order = distinct.map((_, i) => i).toSorted((a, b) => (ranks[b] ?? 0) - (ranks[a] ?? 0) || a - b);
  const taken = new Set<number>();
  let left = tokens;
  for (const i of order) {
    const cost = estimateTokens(distinct[i] ?? "") + 1;
    const isRepetition = (links[i] ?? []).some(([other, weight]) => weight > REPETITION && taken.has(other));
    if (cost > left || isRepetition) continue;
    taken.add(i);
    left -= cost;
  }
  return distinct.filter((_, i) => taken.has(i)).join("\n");
}

function vectorsOf(sentences: readonly (readonly string[])[]): Vector[] {
  const frequency = new Map<string, number>();
  for (const words of sentences)
    for (const word of new Set(words)) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  return sentences.map((words) => {
    const vector = new Map<string, number>();
    for (const word of words)
      vector.set(word, (vector.get(word) ?? 0) + Math.log(sentences.length / (frequency.get(word) ?? 1)));
    const norm = Math.sqrt([...vector.values()].reduce((sum, weight) => sum + weight ** 2, 0)) || 1;
    return new Map([...vector].map(([word, weight]) => [word, weight / norm]));
  });
}

/** Of each sentence the others that are similar to it, and how much. */
function linksOf(vectors: readonly Vector[]): (readonly [number, number])[][] {
  const holders = new Map<string, [number, number][]>();
  return vectors
    .map((vector, i) => {
      const similarity = new Map<number, number>();
      for (const [word, weight] of vector) {
        const list = holders.get(word) ?? [];
        for (const [other, its] of list) similarity.set(other, (similarity.get(other) ?? 0) + weight * its);
        holders.set(word, [...list.slice(-400), [i, weight]]);
      }
      return [...similarity].filter(([, cosine]) => cosine >= SMALLEST_SIMILARITY);
    })
    .reduce<[number, number][][]>(
      (links, back, i) => {
        for (const [other, cosine] of back) {
          links[i]?.push([other, cosine]);
          links[other]?.push([i, cosine]);
        }
        return links;
      },
      vectors.map(() => []),
    );
}

function rank(links: readonly (readonly (readonly [number, number])[])[]): number[] {
  const sums = links.map((list) => list.reduce((sum, [, weight]) => sum + weight, 0));
  let ranks = links.map(() => 1 / links.length);
  for (let round = 0; round < ROUNDS; round++)
    ranks = links.map(
      (list) =>
        (1 - DAMPING) / links.length +
        DAMPING *
          list.reduce((sum, [other, weight]) => sum + ((ranks[other] ?? 0) * weight) / (sums[other] || 1), 0),
    );
  return ranks;
}
