/**
 * Compares the ids in an answer with its sources. An id stays only if it exists under the grant and the sub-agent
 * was shown its text. Other ids are removed from the answer and listed. Ids outside the grant are treated as
 * unknown.
 */
import type { Citation } from "../read/cite.ts";

export interface RemovedCitation {
  readonly id: string;
  /** `unknown`: no such message or summary exists. `unseen`: it exists, but the sub-agent never read it. */
  readonly why: "unknown" | "unseen";
}

interface CheckedAnswer {
  readonly text: string;
  readonly citations: readonly Citation[];
  readonly removed: readonly RemovedCitation[];
}

interface CitationUse {
  /** Ids of messages and summaries that the sub-agent was shown. */
  readonly seen: ReadonlySet<string>;
  readonly cite: (ids: readonly string[]) => Promise<readonly Citation[]>;
}

export async function checkCitations(text: string, { seen, cite }: CitationUse): Promise<CheckedAnswer> {
  const ids = idsIn(text);
  const known = new Map((await cite(ids)).map((citation) => [citation.id, citation]));
  const removed = ids
    .filter((id) => !known.has(id) || !seen.has(id))
    .map((id): RemovedCitation => ({ id, why: known.has(id) ? "unseen" : "unknown" }));
  const citations = [...known.values()].filter(({ id }) => seen.has(id));
  return { text: withoutIds(text, new Set(removed.map(({ id }) => id))), citations, removed };
}

const IN_BRACKETS = /[ \t]*[[(]([^[\]()\n]*)[\])]/g;

/** A bracket that held only ids is removed with them; in a sentence, words replace an id. */
function withoutIds(text: string, ids: ReadonlySet<string>): string {
  if (ids.size === 0) return text;
  const rest = text.replace(IN_BRACKETS, (whole, inside: string) => {
    const found = idsIn(inside);
    if (!found.some((id) => ids.has(id)) || /[\p{L}\p{N}]/u.test(inside.replace(LIKE_AN_ID, "")))
      return whole;
    const kept = found.filter((id) => !ids.has(id));
    return kept.length === 0 ? "" : ` [${kept.join(", ")}]`;
  });
  return rest.replace(LIKE_AN_ID, (id) => (ids.has(id) ? "(no such source)" : id));
}

/** Anything that looks like the id of a message or a summary, including invalid ones: invented ids are often slightly wrong. */
const LIKE_AN_ID = /\b(?:msg_[0-9a-z]+(?:_[0-9]+)?|sum_[0-9a-z]+)\b/gi;
/** The head of a quotation as tools write it: the id, then a description in brackets. */
const IN_A_HEAD = new RegExp(`${LIKE_AN_ID.source}(?= \\()`, "gi");

/** Each id once, in order of appearance. */
function idsIn(text: string): readonly string[] {
  return [...new Set(text.match(LIKE_AN_ID) ?? [])];
}

/**
 * Ids of the items that a tool's result quotes: those in a head followed by quoted lines. Excludes ids that are only
 * listed, that repeat the request, or that occur inside a quotation: any message may contain any id.
 */
export function idsQuoted(text: string): readonly string[] {
  const quoted = new Set<string>();
  const heads: string[] = [];
  for (const line of text.split("\n"))
    if (line === "") heads.length = 0;
    else if (line.trimStart().startsWith(">")) for (const id of heads.splice(0)) quoted.add(id);
    else heads.push(...(line.match(IN_A_HEAD) ?? []));
  return [...quoted];
}
