/**
 * How far cosines can be trusted for a question: fully where the embedder knows the script, not at all where it knows
 * half of the letters or less. Of what it does not know it makes vectors that are all alike.
 */
const LETTER = /\p{L}/gu;
/** The embedder that comes along was trained on English. */
const KNOWN = /\p{sc=Latin}/gu;

export function vectorTrust(question: string, known: RegExp = KNOWN): number {
  const letters = question.match(LETTER)?.length ?? 0;
  if (letters === 0) return 1;
  return Math.max(0, (2 * (question.match(known)?.length ?? 0)) / letters - 1);
}
