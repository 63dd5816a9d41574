/**
 * Tags in a query, such as `proj:atlas`: only memories with exactly that tag match. A tag begins
 * at the beginning of a word, so `subproj:x` and `https://env:80` contain none.
 */
import { escapePattern } from "../../text/escape-pattern.ts";

const TAG = /(?<![\p{L}\p{N}_:/.@-])(?:proj|env|team|scope):[\p{L}\p{N}_-]+(?![:/])/giu;

interface TaggedQuery {
  /** Lower case, unique, sorted. */
  readonly tags: readonly string[];
  /** The query without tags. */
  readonly rest: string;
}

export function readTags(query: string): TaggedQuery {
  const tags = [...query.matchAll(TAG)].map(([found]) => found.toLowerCase());
  return { tags: [...new Set(tags)], rest: query.replace(TAG, " ").replaceAll(/\s+/g, " ").trim() };
}

/** Whether a memory has every one of the tags: as one of its tags, or as a whole word of its text. */
export function hasTags(
  memory: { readonly tags: readonly string[]; readonly text: string },
  tags: readonly string[],
): boolean {
  const own = new Set(memory.tags.map((tag) => tag.toLowerCase()));
  const text = memory.text.toLowerCase();
  return tags.every((tag) => own.has(tag.toLowerCase()) || hasWord(text, tag.toLowerCase()));
}

function hasWord(text: string, word: string): boolean {
  return new RegExp(String.raw`(?<![\p{L}\p{N}_:-])${escapePattern(word)}(?![\p{L}\p{N}_-])`, "u").test(text);
}
