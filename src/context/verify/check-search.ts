/** Rebuilds each segment of the search index from its documents, and compares the two. */
import { isTool } from "../../search/terms.ts";
import type { DocumentRun, SearchSegment } from "../../store/search-store.ts";
import type { ScopedStore } from "../../store/store.ts";
import { compareBytes } from "../../text/bytes.ts";
import { type BuiltSegment, buildSegment } from "../retrieve/index/build-segment.ts";
import { readDocuments, readSegment } from "../retrieve/index/read-documents.ts";
import type { Problem } from "./integrity.ts";

export async function checkSearch(
  scoped: ScopedStore,
  conversation: string | undefined,
  stopIfAborted: () => void,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  const { segments } = await scoped.searchIndex(conversation === undefined ? {} : { conversation });
  for (const segment of segments) {
    stopIfAborted();
    const stored = await readSegment(scoped, segment);
    if (stored === undefined) continue;
    const again = buildSegment(await readDocuments(scoped, stored.runs));
    // An erasure or a merge meanwhile removes the segment.
    if (!isSame(stored, again) && (await isThere(scoped, segment)))
      problems.push(problemWith(segment, stored.runs, scoped));
  }
  return problems;
}

async function isThere(scoped: ScopedStore, { id }: SearchSegment): Promise<boolean> {
  return (await scoped.searchIndex()).segments.some((segment) => segment.id === id);
}

/** Ignores names of tools: they come from neighbouring messages, which may have been erased since. */
function isSame(a: BuiltSegment, b: BuiltSegment): boolean {
  return (
    isSamePages(withoutTools(a), withoutTools(b)) &&
    a.documents === b.documents &&
    a.words === b.words &&
    a.earliest === b.earliest &&
    a.latest === b.latest &&
    compareBytes(a.columns, b.columns) === 0
  );
}

function withoutTools({ pages }: BuiltSegment): BuiltSegment["pages"] {
  return pages.filter(({ firstTerm }) => !isTool(firstTerm));
}

function isSamePages(a: BuiltSegment["pages"], b: BuiltSegment["pages"]): boolean {
  return (
    a.length === b.length &&
    a.every(({ firstTerm, page }, i) => {
      const other = b[i];
      return (
        other !== undefined &&
        compareBytes(firstTerm, other.firstTerm) === 0 &&
        compareBytes(page, other.page) === 0
      );
    })
  );
}

function problemWith({ id }: SearchSegment, runs: readonly DocumentRun[], { scope }: ScopedStore): Problem {
  const [run] = runs;
  return {
    check: "search",
    conversation: run?.conversation ?? null,
    ...scope,
    seq: run?.kind === "message" ? run.first : null,
    message: `segment ${id} of the search index does not match its documents`,
    repair: { kind: "drop-segment", segment: id },
  };
}
