/** Rebuilds each segment of the word index from its memories and compares the two. */
import { isIntact, PackedSegment } from "../../../search/index/packed-segment.ts";
import type { TermPostings } from "../../../search/index/term-entries.ts";
import type { MemoryIndex } from "../../../store/memory-store.ts";
import { compareBytes } from "../../../text/bytes.ts";
import type { IndexStore } from "./index-store.ts";
import type { MemorySegmentMaker } from "./memory-indexer.ts";
import { readDocuments } from "./read-documents.ts";
import { isOfTag } from "./term-kinds.ts";

interface MemoryIndexProblem {
  readonly segment: number;
  readonly scope: string;
  readonly first: number;
  readonly last: number;
  readonly message: string;
}

/** `stopIfAborted` throws to stop the check. */
export async function checkMemoryIndex(
  store: IndexStore,
  maker: MemorySegmentMaker,
  stopIfAborted: () => void = () => {},
): Promise<readonly MemoryIndexProblem[]> {
  const problems: MemoryIndexProblem[] = [];
  for (const segment of (await store.memoryIndex()).segments) {
    stopIfAborted();
    const isSound = await saysTheSame(store, maker, segment);
    // A concurrent erasure or merge removes the segment.
    if (!isSound && (await isThere(store, segment.id))) problems.push(problemWith(segment));
  }
  return problems;
}

type SegmentHead = MemoryIndex["segments"][number];

async function saysTheSame(
  store: IndexStore,
  maker: MemorySegmentMaker,
  head: SegmentHead,
): Promise<boolean> {
  const [stored] = await store.memorySegments([head.id]);
  if (stored === undefined || !isIntact(stored.content)) return false;
  const { documents } = await readDocuments(store, head);
  const again = await maker.build(documents);
  return (
    compareBytes(stored.content, again) === 0 ||
    isSame(new PackedSegment(stored.content), new PackedSegment(again))
  );
}

/** Ignores words of tags, which may have changed since. */
function isSame(a: PackedSegment, b: PackedSegment): boolean {
  return (
    a.documents === b.documents &&
    a.words === b.words &&
    a.erased === b.erased &&
    a.lengths.every((length, i) => length === b.lengths[i]) &&
    a.times.every((time, i) => time === b.times[i]) &&
    areSameTerms(textTerms(a), textTerms(b))
  );
}

function* textTerms(view: PackedSegment): Generator<TermPostings> {
  for (const entry of view.everyTerm()) {
    if (isOfTag(entry.term)) return;
    yield entry;
  }
}

function areSameTerms(a: Generator<TermPostings>, b: Generator<TermPostings>): boolean {
  for (const entry of a) {
    const { done, value } = b.next();
    if (done === true || value === undefined || !isSameEntry(entry, value)) return false;
  }
  return b.next().done === true;
}

function isSameEntry(a: TermPostings, b: TermPostings): boolean {
  return (
    a.documents === b.documents &&
    compareBytes(a.term, b.term) === 0 &&
    compareBytes(a.postings, b.postings) === 0
  );
}

async function isThere(store: IndexStore, id: number): Promise<boolean> {
  return (await store.memoryIndex()).segments.some((segment) => segment.id === id);
}

function problemWith({ id, scope, first, last }: SegmentHead): MemoryIndexProblem {
  const message = `segment ${id} of the word index does not match memories ${first} to ${last} of ${scope}`;
  return { segment: id, scope, first, last, message };
}
