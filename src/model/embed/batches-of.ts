/** Texts in batches that services take in one request: so many of them, and so many characters, at most. */

/** Services refuse requests of some hundred thousand tokens; no character is more than a few. */
const MOST_CHARACTERS = 100_000;

export function batchesOf(texts: readonly string[], mostTexts: number): string[][] {
  const batches: string[][] = [];
  let characters = 0;
  for (const text of texts) {
    const batch = batches.at(-1);
    const isFull =
      batch === undefined || batch.length >= mostTexts || characters + text.length > MOST_CHARACTERS;
    if (isFull) {
      batches.push([text]);
      characters = 0;
    } else batch.push(text);
    characters += text.length;
  }
  return batches;
}
