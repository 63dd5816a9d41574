/** The positions of a question's terms in one segment. */
import type { PackedSegment } from "../../../search/index/packed-segment.ts";
import type { TermPostings } from "../../../search/index/term-entries.ts";
import { termOf } from "../../../search/terms.ts";
import { STEM, TAG_STEM, TAG_WORD, WORD } from "./term-kinds.ts";
import type { WordQuery } from "./word-query.ts";

/** The lists of each term of the question; no document is in two of them. */
export interface TermLists {
  readonly plain: readonly (readonly TermPostings[])[];
  readonly stemmed: readonly (readonly TermPostings[])[];
}

/** Finds the terms of one question in each segment. */
export function termFinder(query: WordQuery): (view: PackedSegment) => TermLists {
  const plain = query.plain.map((name) => [termOf(WORD, name), termOf(TAG_WORD, name)] as const);
  const stemmed = query.stemmed.map(
    (name) => [termOf(STEM, name), termOf(WORD, name), termOf(TAG_STEM, name)] as const,
  );
  return (view) => ({
    plain: plain.map(([word, tag]) => there(view.find(word), view.find(tag))),
    // A stem without its own list is stored as a word or not at all.
    stemmed: stemmed.map(([stem, word, tag]) => there(view.find(stem) ?? view.find(word), view.find(tag))),
  });
}

function there(...lists: readonly (TermPostings | undefined)[]): readonly TermPostings[] {
  return lists.filter((list) => list !== undefined);
}

export function holdersOf(lists: readonly TermPostings[] | undefined): number {
  return lists?.reduce((sum, { documents }) => sum + documents, 0) ?? 0;
}
