/**
 * How far cosines can be trusted for a question: fully if the embedder knows the script, not at all if it knows at most
 * half of the letters. Embeddings of unknown scripts are all similar.
 */
const LETTER = /\p{L}/gu;
/** The bundled embedder was trained on English. */
const KNOWN = /\p{sc=Latin}/gu;

export function vectorTrust(question: string, known: RegExp = KNOWN): number {
  const letters = question.match(LETTER)?.length ?? 0;
  if (letters === 0) return 1;
  return Math.max(0, (2 * (question.match(known)?.length ?? 0)) / letters - 1);
}
