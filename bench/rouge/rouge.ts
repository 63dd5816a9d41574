/** ROUGE between a text and a reference: words in lower case, no stemming, no stop words, the text as one sequence. */

export interface Overlap {
  readonly recall: number;
  readonly f1: number;
}

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Share of runs of `length` words that both have, each as often as the rarer side has it. */
export function rougeN(text: string, reference: string, length: number): Overlap {
  const [own, wanted] = [countRuns(wordsOf(text), length), countRuns(wordsOf(reference), length)];
  let shared = 0;
  for (const [run, count] of wanted) shared += Math.min(count, own.get(run) ?? 0);
  return overlap(shared, total(own), total(wanted));
}

/** The longest common subsequence of words. */
export function rougeL(text: string, reference: string): Overlap {
  const [own, wanted] = [wordsOf(text), wordsOf(reference)];
  let row = new Uint32Array(wanted.length + 1);
  for (const word of own) {
    const next = new Uint32Array(wanted.length + 1);
    for (const [column, other] of wanted.entries())
      next[column + 1] =
        word === other ? (row[column] ?? 0) + 1 : Math.max(row[column + 1] ?? 0, next[column] ?? 0);
    row = next;
  }
  return overlap(row[wanted.length] ?? 0, own.length, wanted.length);
}

function countRuns(words: readonly string[], length: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (let end = length; end <= words.length; end++) {
    const run = words.slice(end - length, end).join(" ");
    counts.set(run, (counts.get(run) ?? 0) + 1);
  }
  return counts;
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

function overlap(shared: number, own: number, wanted: number): Overlap {
  const recall = wanted === 0 ? 0 : shared / wanted;
  const precision = own === 0 ? 0 : shared / own;
  return { recall, f1: shared === 0 ? 0 : (2 * recall * precision) / (recall + precision) };
}

/** The measure measures: identical, disjoint and half equal texts, worked out by hand. */
export function checkRouge(): void {
  const close = (value: number, expected: number, what: string) => {
    if (Math.abs(value - expected) > 1e-9)
      throw new Error(`ROUGE is wrong: ${what} is ${value}, not ${expected}`);
  };
  const [reference, text] = ["the cat sat on the mat", "The cat, on a mat!"];
  close(rougeN(reference, reference, 2).f1, 1, "ROUGE-2 of identical texts");
  close(rougeN("dogs bark", reference, 1).f1, 0, "ROUGE-1 of disjoint texts");
  close(rougeN(text, reference, 1).recall, 4 / 6, "ROUGE-1 recall");
  close(rougeN(text, reference, 1).f1, (2 * (4 / 6) * (4 / 5)) / (4 / 6 + 4 / 5), "ROUGE-1");
  close(rougeN(text, reference, 2).recall, 1 / 5, "ROUGE-2 recall");
  close(rougeL(text, reference).recall, 4 / 6, "ROUGE-L recall");
  close(rougeL("mat the on sat cat the", reference).recall, 3 / 6, "ROUGE-L of the reverse");
}
