/**
 * A store that contains only some conversations of one scope. Its holder can name, list, search and read only these,
 * whichever operation runs on it: an id outside is answered like an unknown id. Nothing can be written, and calls about the
 * whole store are refused.
 *
 * The set of conversations is read at every call, so that a revoked conversation is gone immediately.
 */

import { PalimpsestError } from "../errors.ts";
import type { Scope } from "../types.ts";
import { everyRow } from "./every-row.ts";
import {
  type DocumentRun,
  OPEN_RUNS,
  type SearchIndex,
  type SearchIndexQuery,
  type SegmentDocuments,
} from "./search-store.ts";
import type {
  ConversationQuery,
  ListedConversation,
  Page,
  Reach,
  ScopedStore,
  Store,
  StoredConversation,
} from "./store.ts";

interface Limits {
  readonly scope: Scope;
  /** Ids of conversations. Empty: the store is empty. */
  readonly conversations: () => ReadonlySet<string>;
}

/** Replaces the id of every conversation outside: no store ever assigns it. */
const NOWHERE = "conv_";
const DEFAULT_LIMIT = 1_000;

export function limitStore(store: Store, limits: Limits): Store {
  const own = limitScope(store.scoped(limits.scope), limits.conversations);
  const nothing = limitScope(store.scoped(limits.scope), () => new Set());
  const isOwn = ({ tenant, agent }: Scope) => tenant === limits.scope.tenant && agent === limits.scope.agent;
  return {
    engine: store.engine,
    scoped: (scope) => (isOwn(scope) ? own : { ...nothing, scope }),
    // Memories may contain content of other conversations.
    memoriesOf: ({ tenant }) => store.memoriesOf({ tenant, scopes: [] }),
    scopes: async () => [limits.scope],
    tenants: async () => [limits.scope.tenant],
    info: async () => refuse("cannot read the state of the store"),
    checkEngine: async () => refuse("cannot check the store"),
    dump: () => refuse("cannot export the store"),
    load: async () => refuse("cannot import anything"),
    compactFiles: async () => refuse("cannot change the store"),
    collectGarbage: async () => refuse("cannot change the store"),
    // It belongs to the caller that opened it.
    close: async () => {},
  };
}

function refuse(what: string): never {
  throw new PalimpsestError("not-supported", `access that is limited to some conversations ${what}`);
}

export function limitScope(store: ScopedStore, conversations: () => ReadonlySet<string>): ScopedStore {
  const within = (id: string) => (conversations().has(id) ? id : NOWHERE);
  const isWithin = ({ conversation }: { readonly conversation: string | null }) =>
    conversation !== null && conversations().has(conversation);
  const fileWithin = async (id: string) => {
    const found = await store.file(id);
    return found !== undefined && isWithin(found) ? found : undefined;
  };
  return {
    file: fileWithin,
    files: async (query) => {
      const { rows, next } = await store.files(query);
      return { rows: rows.filter(isWithin), next };
    },
    fileMarks: async (after, limit) => (await store.fileMarks(after, limit)).filter(isWithin),
    fileLines: async (id) => ((await fileWithin(id)) === undefined ? undefined : store.fileLines(id)),
    fileBytes: async (id, start, end) =>
      (await fileWithin(id)) === undefined ? undefined : store.fileBytes(id, start, end),
    putContent: async () => readOnly(),
    scope: store.scope,
    reach: reachOf(store, conversations),
    commit: async () => readOnly(),
    exclusively: async () => readOnly(),
    conversation: async (address) => {
      const found = await store.conversation(address);
      return found !== undefined && conversations().has(found.id)
        ? withinReach(found, conversations())
        : undefined;
    },
    conversations: async (query) => {
      const { rows, next } = await list(store, conversations(), query);
      return { rows: rows.map((row) => withinReach(row, conversations())), next };
    },
    messages: (id, query) => store.messages(within(id), query),
    originals: (id, query) => store.originals(within(id), query),
    contextItems: (id, query) => store.contextItems(within(id), query),
    contextShape: (id, query) => store.contextShape(within(id), query),
    contextWindow: (id, query) => store.contextWindow(within(id), query),
    summary: async (id) => {
      const found = await store.summary(id);
      return found !== undefined && isWithin(found) ? found : undefined;
    },
    lineage: (id, of) => store.lineage(within(id), of),
    describeSummary: async (id) => {
      const found = await store.describeSummary(id);
      return found !== undefined && isWithin(found.summary) ? found : undefined;
    },
    descend: async (query) => {
      const found = await store.descend(query);
      return found !== undefined && isWithin(found.summary) ? found : undefined;
    },
    missingSummaries: (id) => store.missingSummaries(within(id)),
    similarSummaryIds: async (id) => {
      const similar = await store.similarSummaryIds(id);
      const found = await Promise.all(similar.map((one) => store.summary(one)));
      return found
        .filter((one) => one !== undefined)
        .filter(isWithin)
        .map((one) => one.id);
    },
    // Sub-agents get whole ids.
    idsBeginning: async () => [],
    summaries: (id, query) => store.summaries(within(id), query),
    summaryOutlines: (id, query) => store.summaryOutlines(within(id), query),
    turns: (id, query) => store.turns(within(id), query),
    receipts: (id, query) => store.receipts(within(id), query),
    compactionEvents: (id, query) => store.compactionEvents(within(id), query),
    transcripts: (id) => store.transcripts(within(id)),
    lostTranscripts: (id) => store.lostTranscripts(within(id)),
    conversationsWith: async (key) =>
      (await store.conversationsWith(key)).filter((id) => conversations().has(id)),
    transcriptsAt: async (path) => (await store.transcriptsAt(path)).filter(isWithin),
    transcriptLines: (id, query) => store.transcriptLines(within(id), query),
    // Erasures in other conversations are not visible here.
    uncleanedSince: async () => null,
    auditLog: async (query) => {
      const { rows, next } = await store.auditLog(query);
      return { rows: rows.filter(isWithin), next };
    },
    auditMarks: async (after, limit) => (await store.auditMarks(after, limit)).filter(isWithin),
    searchIndex: (query) => searchIndex(store, conversations(), query),
    segmentDocuments: async (segments) =>
      (await store.segmentDocuments(segments)).map((segment) => hideRuns(segment, isWithin)),
    searchPages: (segments, ranges) => store.searchPages(segments, ranges),
    documents: (refs, options) => store.documents(refs.filter(isWithin), options),
    texts: (refs) => store.texts(refs.filter(isWithin)),
    nearestMessages: (query) =>
      store.nearestMessages({ ...query, conversations: only(conversations(), query.conversations) }),
    // In the order of the refs: those outside have no vectors.
    messageVectors: (model, refs) =>
      store.messageVectors(
        model,
        refs.map((ref) => ({ ...ref, conversation: within(ref.conversation) })),
      ),
    unembedded: (model, query) =>
      store.unembedded(model, { ...query, conversations: only(conversations(), query?.conversations) }),
    messageVectorCounts: async () => refuse("cannot read the state of embeddings"),
  };
}

function only(ids: ReadonlySet<string>, wanted: readonly string[] = [...ids]): readonly string[] {
  return wanted.filter((id) => ids.has(id));
}

function readOnly(): never {
  throw new PalimpsestError("store-readonly", "access that is limited to some conversations cannot write");
}

function reachOf(store: ScopedStore, conversations: () => ReadonlySet<string>): Reach {
  return {
    conversations,
    documents: async () => {
      const ids = conversations();
      const { segments, unindexed } = await searchIndex(store, ids, { limit: ALL_RUNS });
      const indexed = await store.segmentDocuments(segments.map(({ id }) => id));
      const runs = [...indexed.flatMap((segment) => segment.runs), ...unindexed];
      return runs
        .filter(({ conversation }) => ids.has(conversation))
        .reduce((sum, { first, last }) => sum + last - first + 1, 0);
    },
  };
}

/** A parent conversation outside is not named. */
function withinReach<Row extends StoredConversation>(row: Row, ids: ReadonlySet<string>): Row {
  return row.parent === null || ids.has(row.parent) ? row : { ...row, parent: null, relation: null };
}

/** As the store lists them, without those outside. */
async function list(
  store: ScopedStore,
  ids: ReadonlySet<string>,
  { from = 0, limit = DEFAULT_LIMIT, ...which }: ConversationQuery,
): Promise<Page<ListedConversation>> {
  const listed: ListedConversation[] = [];
  for await (const row of everyRow((start) => store.conversations({ ...which, from: start })))
    if (ids.has(row.id)) listed.push(row);
  const next = from + limit;
  return { rows: listed.slice(from, next), next: next < listed.length ? next : null };
}

/** A segment's documents are counted through its runs, so the other runs stay, without their conversations. */
function hideRuns(segment: SegmentDocuments, isWithin: (run: DocumentRun) => boolean): SegmentDocuments {
  const runs = segment.runs.map((run) => (isWithin(run) ? run : { ...run, conversation: NOWHERE }));
  return { ...segment, runs };
}

/** Waiting documents outside do not count towards the limit. */
async function searchIndex(
  store: ScopedStore,
  ids: ReadonlySet<string>,
  query: SearchIndexQuery = {},
): Promise<SearchIndex> {
  if (query.conversation !== undefined && !ids.has(query.conversation))
    return { segments: [], unindexed: [] };
  const { segments, unindexed } = await store.searchIndex({ ...query, limit: ALL_RUNS });
  const reached = unindexed.filter(({ conversation }) => ids.has(conversation));
  return { segments, unindexed: reached.slice(0, query.limit ?? OPEN_RUNS) };
}

const ALL_RUNS = 1_000_000;
