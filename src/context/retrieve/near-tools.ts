/** Suggests tools for a name that matched nothing. */
import { visitPostings } from "../../search/index/posting-list.ts";
import { EVERY_TOOL, toolOf } from "../../search/terms.ts";
import { nearest } from "../../text/hints/nearest.ts";
import type { IndexSnapshot } from "./current-index.ts";
import { acceptedDocuments, type DocumentFilter } from "./filter.ts";

const MOST_NAMED = 3;

/** Only tools in documents that pass the rest of the filter; empty if the name is one of them. */
export async function nearTools(
  snapshot: IndexSnapshot,
  { tool, ...filter }: DocumentFilter,
): Promise<readonly string[]> {
  if (tool === null) return [];
  const known = await toolsIn(snapshot, { ...filter, tool: null });
  return known.has(tool) ? [] : namesLike(tool, [...known]);
}

async function toolsIn(snapshot: IndexSnapshot, filter: DocumentFilter): Promise<ReadonlySet<string>> {
  const ids = snapshot.segments.map(({ id }) => id);
  const found = await snapshot.postings(ids, [EVERY_TOOL]);
  const views = await snapshot.views(ids);
  const names = new Set<string>();
  // If segments were removed meanwhile, only the hint is lost.
  if (found === undefined || views === undefined) return names;
  for (const [id, view] of views) {
    const { has } = acceptedDocuments(view, filter, []);
    for (const { term, postings } of found.get(id)?.[0] ?? [])
      visitPostings(postings, (document) => {
        if (has[document] === 1) names.add(toolOf(term));
      });
  }
  return names;
}

/** Names that differ only in case; else by a few characters; else that contain the name. */
function namesLike(given: string, names: readonly string[]): readonly string[] {
  const wanted = given.toLowerCase();
  const same = names.filter((name) => name.toLowerCase() === wanted);
  if (same.length > 0) return same.toSorted().slice(0, MOST_NAMED);
  const near = new Set(nearest(wanted, new Set(names.map((name) => name.toLowerCase()))));
  const alike = names.filter((name) => near.has(name.toLowerCase()));
  const around = names.filter((name) => name.toLowerCase().includes(wanted));
  return [...new Set([...alike.toSorted(), ...around.toSorted()])].slice(0, MOST_NAMED);
}
