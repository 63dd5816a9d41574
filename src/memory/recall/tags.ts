/**
 * Tags in a query, such as `proj:atlas`: only memories with exactly that tag match. A tag begins
 * at the beginning of a word, so `subproj:x` and `https://env:80` contain none.
 */
import { escapePattern } from "../../text/escape-pattern.ts";

const TAG_PREFIXES: readonly string[] = ["proj", "env", "team", "scope"];

interface TaggedQuery {
  /** Lower case, unique, sorted. */
  readonly tags: readonly string[];
  /** The query without tags. */
  readonly rest: string;
}

export function readTags(query: string, prefixes = TAG_PREFIXES): TaggedQuery {
  if (prefixes.length === 0) return { tags: [], rest: query };
  const tag = tagPattern(prefixes.map((prefix) => escapePattern(prefix)).join("|"));
  const tags = [...query.matchAll(tag)].map(([found]) => found.toLowerCase());
  return { tags: [...new Set(tags)], rest: query.replace(tag, " ").replaceAll(/\s+/g, " ").trim() };
}

function tagPattern(prefix: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}_:/.@-])(?:${prefix}):[\p{L}\p{N}_-]+(?![:/])`, "giu");
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
