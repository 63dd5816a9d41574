/** The documents of a segment with any of the words, prefixes or phrases of the query, regardless of score. */
import { markPostings, visitPostings } from "../../search/index/posting-list.ts";
import type { QueryTerm } from "./parse-query.ts";
import type { TermLists } from "./rank.ts";

/** By document, 1 for a candidate, and the number of candidates. */
export function documentsWithAny(
  terms: readonly QueryTerm[],
  lists: readonly TermLists[],
  documents: number,
): { readonly present: Uint8Array; readonly count: number } {
  const present = new Uint8Array(documents);
  let count = 0;
  terms.forEach((term, i) => {
    const own = lists[i] ?? [];
    if (term.type === "phrase") count += markPhrase(own, present);
    else for (const list of own) for (const { postings } of list) count += markPostings(postings, present);
  });
  return { present, count };
}

/** Whether its words are consecutive can only be checked in the text. */
function markPhrase(words: TermLists, present: Uint8Array): number {
  const held = new Uint16Array(present.length);
  words.forEach((list, i) => {
    for (const { postings } of list)
      visitPostings(postings, (document) => {
        if (held[document] === i) held[document] = i + 1;
      });
  });
  let added = 0;
  for (let document = 0; document < held.length; document++) {
    if (held[document] !== words.length || present[document] === 1) continue;
    present[document] = 1;
    added++;
  }
  return added;
}
