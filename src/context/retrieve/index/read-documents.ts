/** Reads whole segments, and the documents in them. */
import type { DocumentRun, SearchSegment } from "../../../store/search-store.ts";
import type { ScopedStore } from "../../../store/store.ts";
import { indexedMessage, indexedSummary } from "../searchable.ts";
import { ToolNames } from "../tool-names.ts";
import type { BuiltSegment, IndexedDocument } from "./build-segment.ts";

const PAGE_DOCUMENTS = 200;
const PAGE_BYTES = 1024 * 1024;
const EVERY_TERM = { from: new Uint8Array(0), to: Uint8Array.of(0xff) };

export interface WholeSegment extends BuiltSegment {
  readonly runs: readonly DocumentRun[];
}

/** Undefined if it no longer exists. */
export async function readSegment(
  store: ScopedStore,
  segment: SearchSegment,
): Promise<WholeSegment | undefined> {
  const [documents] = await store.segmentDocuments([segment.id]);
  if (documents === undefined) return undefined;
  const pages = await store.searchPages([segment.id], [EVERY_TERM]);
  if (pages === undefined) return undefined;
  return { ...segment, columns: documents.columns, runs: documents.runs, pages };
}

export async function readDocuments(
  store: ScopedStore,
  runs: readonly DocumentRun[],
): Promise<IndexedDocument[]> {
  const documents: IndexedDocument[] = [];
  for (const run of runs) for await (const { document } of readRun(store, run)) documents.push(document);
  return documents;
}

interface ReadDocument {
  readonly document: IndexedDocument;
  readonly isErased: boolean;
}

/** A missing document has no terms. */
const MISSING: ReadDocument = {
  document: { time: 0, speaker: "user", tools: [], format: null, content: null },
  isErased: false,
};

/** Every document of a run, in order. */
export async function* readRun(store: ScopedStore, run: DocumentRun): AsyncGenerator<ReadDocument> {
  const names =
    run.kind === "message" ? await ToolNames.before(store, run.conversation, run.first) : new ToolNames();
  for (let next = run.first; next <= run.last; ) {
    const page =
      run.kind === "message"
        ? await readMessages(store, run, next, names)
        : await readSummaries(store, run, next);
    for (const { number, ...document } of page) {
      for (; next < number; next++) yield MISSING;
      yield document;
      next++;
    }
    if (page.length === 0) for (; next <= run.last; next++) yield MISSING;
  }
}

type Numbered = ReadDocument & { readonly number: number };

async function readMessages(
  store: ScopedStore,
  run: DocumentRun,
  from: number,
  names: ToolNames,
): Promise<Numbered[]> {
  const { rows } = await store.messages(run.conversation, {
    from,
    to: run.last,
    limit: PAGE_DOCUMENTS,
    maxBytes: PAGE_BYTES,
    payloads: "search",
  });
  return rows.map((message) => ({
    number: message.seq,
    document: indexedMessage(message, names.toolsOf(message)),
    isErased: message.erasedAt !== null,
  }));
}

async function readSummaries(store: ScopedStore, run: DocumentRun, from: number): Promise<Numbered[]> {
  const count = Math.min(PAGE_DOCUMENTS, run.last - from + 1);
  const { conversation } = run;
  const refs = Array.from({ length: count }, (_, i) => ({
    conversation,
    kind: "summary" as const,
    number: from + i,
  }));
  const documents = await store.documents(refs);
  return documents.flatMap((document) =>
    "summary" in document
      ? [
          {
            number: document.ref.number,
            document: indexedSummary(document.summary),
            isErased: document.summary.content === null,
          },
        ]
      : [],
  );
}
