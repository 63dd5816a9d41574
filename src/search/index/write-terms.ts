/** Passes terms to a writer in ascending order, with their documents. */
import { compareBytes } from "../../text/bytes.ts";
import type { Term } from "../terms.ts";
import type { Occurrences } from "./occurrences.ts";
import type { TermWriter } from "./term-entries.ts";
import type { TermTable } from "./term-table.ts";

/** The words of a table as terms of a kind, except words without documents and unwanted words. */
export function writeTerms(
  writer: TermWriter,
  kind: number,
  table: TermTable,
  occurrences: Occurrences,
  isWanted: (number: number) => boolean = () => true,
): void {
  const isUsed = (number: number) => occurrences.has(number) && isWanted(number);
  writeSorted(writer, table.terms(kind, isUsed), occurrences);
}

/** Terms of one kind, with their numbers. */
export function writeSorted(
  writer: TermWriter,
  terms: readonly { readonly term: Term; readonly number: number }[],
  occurrences: Occurrences,
): void {
  const lists = occurrences.postings();
  const sorted = terms.map(({ term, number }) => ({ term, number, start: firstBytes(term) }));
  sorted.sort((a, b) => a.start - b.start || compareBytes(a.term, b.term));
  for (const { term, number } of sorted)
    writer.addTerm({ term, documents: lists.documents(number), postings: lists.postings(number) });
}

/** As many bytes as fit a number: they decide the order of most terms. The first byte, the kind, is the same for all. */
function firstBytes(term: Term): number {
  let start = 0;
  for (let i = 1; i <= 6; i++) start = start * 256 + (term[i] ?? 0);
  return start;
}
