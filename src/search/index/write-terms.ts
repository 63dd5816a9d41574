import { compareBytes } from "../../text/compare-bytes.ts";
import type { Term } from "../terms.ts";
import type { Occurrences } from "./occurrences.ts";
import type { TermWriter } from "./term-entries.ts";

/**
 * Gives terms to a writer in ascending order. They are of one kind and come by their numbers; those that are in no
 * document, or not wanted, are left out.
 */
export function writeTerms(
  writer: TermWriter,
  terms: readonly Term[],
  occurrences: Occurrences,
  isWanted: (number: number) => boolean = () => true,
): void {
  const lists = occurrences.postings();
  const used = terms.flatMap((term, number) =>
    lists.documents(number) > 0 && isWanted(number) ? [{ term, number, start: firstBytes(term) }] : [],
  );
  used.sort((a, b) => a.start - b.start || compareBytes(a.term, b.term));
  for (const { term, number } of used)
    writer.addTerm({ term, documents: lists.documents(number), postings: lists.postings(number) });
}

/** As many as a number holds: they order most terms. The first one, their kind, they have in common. */
function firstBytes(term: Term): number {
  let start = 0;
  for (let i = 1; i <= 6; i++) start = start * 256 + (term[i] ?? 0);
  return start;
}
