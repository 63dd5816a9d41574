/**
 * Compares the ids in an answer with its sources. An id stays only if it exists under the grant and the sub-agent
 * was shown its text. Other ids are removed from the answer and listed. Ids outside the grant are treated as
 * unknown.
 */
import type { Citation } from "../read/cite.ts";
import { idsIn, LIKE_AN_ID } from "./ids-in.ts";

export interface RemovedCitation {
  readonly id: string;
  /** `unknown`: there is no such message or summary. `unseen`: there is, and the sub-agent never looked at it. */
  readonly why: "unknown" | "unseen";
}

interface CheckedAnswer {
  readonly text: string;
  readonly citations: readonly Citation[];
  readonly removed: readonly RemovedCitation[];
}

interface CitationUse {
  /** Ids of what the sub-agent was shown. */
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

/** A bracket that held nothing else goes with its ids; in a sentence, words take an id's place. */
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
