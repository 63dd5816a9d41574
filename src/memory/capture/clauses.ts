/**
 * Splits a sentence into independent clauses. People who type to an assistant often write no capital letters, and
 * add a question to a statement: "that is wrong. we use utc, can you fix it?" is two statements and a request.
 */

const BOUNDARY =
  /(?<=[\p{L}\p{N})\]'"`])(?:[.!?…]+\s+(?=\p{L})|,\s+(?=(?:can|could|would|will|do|does|is|are|should) (?:you|we|i|it|there|they)(?!\p{L})))/giu;
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|ca|approx|no|incl|max|min|z\.b|d\.h|bzw|\p{L})$/iu;
/** Leading filler words, and a heading of up to five words. */
const LEAD =
  /^(?:(?:ok(?:ay)?|so|and|but|then|well|hm+|yeah|yes|alright|oh|ah|also|basically|omfg|damn|dude|my dude|like|->)[,.!:;\s–—-]+)+/iu;
const HEADING = /^(?:[\p{L}',-]+ ){0,4}[\p{L}'-]+:\s+(?=(?:\S+ ){3})/u;

export function clausesOf(sentence: string): readonly string[] {
  const clauses: string[] = [];
  let start = 0;
  for (const { 0: boundary, index } of sentence.matchAll(BOUNDARY)) {
    if (ABBREVIATION.test(sentence.slice(Math.max(start, index - 12), index))) continue;
    if (isInCode(sentence, start, index)) continue;
    clauses.push(sentence.slice(start, boundary.startsWith(",") ? index : index + boundary.trimEnd().length));
    start = index + boundary.length;
  }
  clauses.push(sentence.slice(start));
  return clauses.map((clause) => clause.replace(HEADING, "").replace(LEAD, ""));
}

/** Whether a code span is open there. */
function isInCode(sentence: string, start: number, at: number): boolean {
  return sentence.slice(start, at).split("`").length % 2 === 0;
}
