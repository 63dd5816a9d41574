/** Which documents of a segment have any of the words, prefixes or phrases that are asked for, however well. */
import { visitPostings } from "./index/posting-list.ts";
import type { QueryTerm } from "./parse-query.ts";
import type { TermLists } from "./rank.ts";

/** By document: 1 where it comes into question. */
export function documentsWithAny(
  terms: readonly QueryTerm[],
  lists: readonly TermLists[],
  documents: number,
): Uint8Array {
  const present = new Uint8Array(documents);
  terms.forEach((term, i) => {
    const own = lists[i] ?? [];
    if (term.type === "phrase") markPhrase(own, present);
    else for (const list of own) for (const { postings } of list) mark(postings, present);
  });
  return present;
}

function mark(postings: Uint8Array, present: Uint8Array): void {
  visitPostings(postings, (document) => {
    present[document] = 1;
  });
}

/** Whether its words follow each other is seen on the text. */
function markPhrase(words: TermLists, present: Uint8Array): void {
  const held = new Uint16Array(present.length);
  words.forEach((list, i) => {
    for (const { postings } of list)
      visitPostings(postings, (document) => {
        if (held[document] === i) held[document] = i + 1;
      });
  });
  for (let document = 0; document < held.length; document++)
    if (held[document] === words.length) present[document] = 1;
}
