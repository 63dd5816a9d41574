/** The search index of messages and summaries, kept up to date. */
import { SegmentIndexer, type SegmentMaker, segmentGone } from "../../../search/index/segment-indexer.ts";
import type { DocumentRun, NewSegment, SearchSegment } from "../../../store/search-store.ts";
import type { ScopedStore } from "../../../store/store.ts";
import type { BuiltSegment, IndexedDocument } from "./build-segment.ts";
import { readRun, readSegment, type WholeSegment } from "./read-documents.ts";

export type MessageSegmentMaker = SegmentMaker<IndexedDocument, BuiltSegment>;

/** Most documents of a new segment. */
const MOST_DOCUMENTS = 2_048;
const MOST_BYTES = 8 * 1024 * 1024;
/** Number of segments of similar size that are merged into a larger one; segments above this size stay. */
const FAN_IN = 8;
const SMALLEST = 64;
const LARGEST_MERGED = 2_048;

export class MessageIndexer extends SegmentIndexer<SearchSegment, DocumentRun> {
  readonly #store: ScopedStore;
  readonly #maker: MessageSegmentMaker;

  constructor(store: ScopedStore, maker: MessageSegmentMaker) {
    super();
    this.#store = store;
    this.#maker = maker;
  }

  protected readIndex() {
    return this.#store.searchIndex();
  }

  protected async indexFirst(unindexed: readonly DocumentRun[]): Promise<number> {
    const { documents, runs } = await readBatch(this.#store, unindexed);
    if (documents.length === 0) return 0;
    await this.#write([], { ...(await this.#maker.build(documents)), runs });
    return documents.length;
  }

  /** Segments of similar size that can be merged into one, oldest first. */
  protected chooseMerge(segments: readonly SearchSegment[]): readonly SearchSegment[] {
    const mergeable = segments.filter(({ documents }) => documents <= LARGEST_MERGED);
    const sizes = Map.groupBy(mergeable, ({ documents }) =>
      Math.floor(Math.log(Math.max(1, documents / SMALLEST)) / Math.log(FAN_IN)),
    );
    for (const same of sizes.values()) if (same.length >= FAN_IN) return same.slice(0, FAN_IN);
    return [];
  }

  protected async merge(segments: readonly SearchSegment[]): Promise<void> {
    const parts = await Promise.all(segments.map((segment) => this.#readWhole(segment)));
    const runs = joinRuns(parts.flatMap((part) => part.runs));
    await this.#write(
      segments.map(({ id }) => id),
      { ...(await this.#maker.merge(parts)), runs },
    );
  }

  async #write(replaces: readonly number[], segment: NewSegment): Promise<void> {
    await this.#store.commit([{ kind: "index", replaces, segment }]);
  }

  async #readWhole(segment: SearchSegment): Promise<WholeSegment> {
    const whole = await readSegment(this.#store, segment);
    if (whole === undefined) throw segmentGone(segment.id);
    return whole;
  }
}

/** Joins consecutive runs. */
function joinRuns(runs: readonly DocumentRun[]): DocumentRun[] {
  const joined: DocumentRun[] = [];
  for (const run of runs) {
    const before = joined.at(-1);
    const goesOn =
      before?.conversation === run.conversation && before.kind === run.kind && before.last + 1 === run.first;
    if (before !== undefined && goesOn) joined[joined.length - 1] = { ...before, last: run.last };
    else joined.push(run);
  }
  return joined;
}

interface Batch {
  readonly documents: readonly IndexedDocument[];
  readonly runs: NewSegment["runs"];
}

/** As many of the documents as one segment takes. */
export async function readBatch(store: ScopedStore, runs: readonly DocumentRun[]): Promise<Batch> {
  const documents: IndexedDocument[] = [];
  const taken: NewSegment["runs"][number][] = [];
  let size = 0;
  for (const run of runs) {
    let erased = 0;
    let last = run.first - 1;
    for await (const { document, isErased } of readRun(store, run)) {
      documents.push(document);
      size += document.content?.length ?? 0;
      erased += isErased ? 1 : 0;
      last++;
      if (documents.length >= MOST_DOCUMENTS || size >= MOST_BYTES) break;
    }
    if (last >= run.first) taken.push({ ...run, last, erased });
    if (last < run.last) break;
  }
  return { documents, runs: taken };
}
