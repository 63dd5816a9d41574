/**
 * Summaries that a fork inherits from its parent, so that no model has to summarise the same messages again. Messages with the
 * same key are the same entry of the host. A leaf is inherited if the fork has all of its messages outside the
 * fresh tail, and a condensed summary if all of its sources were inherited. The text stays; file ids become the fork's own.
 */
import { everyRow } from "../../store/every-row.ts";
import type { ScopedStore, ShapeItem, StoredConversation, StoredSummary } from "../../store/store.ts";
import type { Chunk } from "./plan/chunk.ts";
import type { MadeSummary } from "./summarise-chunk.ts";

interface Inherited {
  readonly id: string;
  readonly chunk: Chunk;
  readonly made: MadeSummary;
  readonly fileIds: readonly string[];
}

interface Fork {
  readonly conversation: StoredConversation;
  /** Its context in order, and the index where its fresh tail begins. */
  readonly items: readonly ShapeItem[];
  readonly freshFrom: number;
}

/** In the order of publishing. Empty for a conversation that has its own summaries. */
export async function inheritedSummaries(
  store: ScopedStore,
  { conversation: { id: fork, parent, relation }, items, freshFrom }: Fork,
  newId: (text: string) => string,
): Promise<Inherited[]> {
  if (parent === null || relation !== "fork" || items.some(({ type }) => type === "summary")) return [];
  if ((await store.conversation({ id: parent })) === undefined) return [];
  const summaries = await summariesInView(store, parent);
  if (summaries.length === 0) return [];
  const seqs = await sharedSeqs(store, parent, fork);
  const files = await sharedFiles(store, { parent, fork, seqs, summaries });
  const tokensAt = new Map<number | string, number>();
  for (const item of items)
    if (item.type === "message" && item.seq < freshFrom) tokensAt.set(item.seq, item.tokenCount);
  const taken = new Map<string, string>();
  return summaries.flatMap((summary) => {
    const chunk = chunkOf(summary, { seqs, taken, tokensAt });
    if (chunk === undefined || summary.content === null) return [];
    const text = summary.content.replace(FILE_ID, (file) => files.get(file) ?? file);
    const id = newId(text);
    taken.set(summary.id, id);
    tokensAt.set(id, summary.tokenCount);
    const fileIds = summary.fileIds.map((file) => files.get(file) ?? file);
    return [{ id, chunk, made: { ...NOT_ASKED, ...pick(summary), text }, fileIds }];
  });
}

const FILE_ID = /file_[0-9a-f]{16}/g;

const NOT_ASKED = { attempts: ["taken from its parent"], failure: null, calls: 0, cost: null };

function pick({ tokenCount, fidelity, quality, model }: StoredSummary) {
  return { tokenCount, fidelity, quality, model };
}

/** The summaries that a conversation shows and all below them, in order of creation. */
async function summariesInView(store: ScopedStore, conversation: string): Promise<StoredSummary[]> {
  const shown = new Set<string>();
  for await (const item of everyRow((from) => store.contextShape(conversation, { from })))
    if (item.type === "summary") shown.add(item.summary);
  const all: StoredSummary[] = [];
  for await (const row of everyRow((from) => store.summaries(conversation, { from }))) all.push(row);
  for (const { id, sources } of all.toReversed())
    if (shown.has(id) && sources.type === "summaries") for (const below of sources.ids) shown.add(below);
  return all.filter(({ id }) => shown.has(id));
}

/** The position of each shared message of the parent in the fork. */
async function sharedSeqs(
  store: ScopedStore,
  parent: string,
  fork: string,
): Promise<ReadonlyMap<number, number>> {
  const read = (conversation: string) =>
    everyRow((from) => store.messages(conversation, { from, withoutContent: true }));
  const inFork = new Map<string, number>();
  for await (const { key, role, tokenCount, seq } of read(fork))
    inFork.set(`${role} ${tokenCount} ${key}`, seq);
  const seqs = new Map<number, number>();
  for await (const { key, role, tokenCount, seq } of read(parent)) {
    const own = inFork.get(`${role} ${tokenCount} ${key}`);
    if (own !== undefined) seqs.set(seq, own);
  }
  return seqs;
}

interface Shared {
  readonly parent: string;
  readonly fork: string;
  readonly seqs: ReadonlyMap<number, number>;
  readonly summaries: readonly StoredSummary[];
}

/** The fork's id of each file of a shared message, if any summary mentions one. */
async function sharedFiles(
  store: ScopedStore,
  { parent, fork, seqs, summaries }: Shared,
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  if (summaries.every(({ fileIds }) => fileIds.length === 0)) return files;
  // Files are listed newest first.
  const read = (conversation: string) =>
    everyRow((from) => store.files({ conversation, from }), Number.MAX_SAFE_INTEGER);
  const inFork = new Map<string, string>();
  for await (const { seq, ordinal, id } of read(fork)) inFork.set(`${seq} ${ordinal}`, id);
  for await (const { seq, ordinal, id } of read(parent)) {
    const own = inFork.get(`${seqs.get(seq)} ${ordinal}`);
    if (own !== undefined) files.set(id, own);
  }
  return files;
}

interface Known {
  readonly seqs: ReadonlyMap<number, number>;
  readonly taken: ReadonlyMap<string, string>;
  /** Messages and summaries of the fork that may be replaced. */
  readonly tokensAt: ReadonlyMap<number | string, number>;
}

/** The sources of a summary in the fork; undefined if it does not have all of them. */
function chunkOf({ sources, depth }: StoredSummary, { seqs, taken, tokensAt }: Known): Chunk | undefined {
  if (sources.type === "messages") {
    const own = allOf(sources.seqs, seqs);
    const tokens = sumOf(allOf(own, tokensAt));
    return own === undefined || tokens === undefined
      ? undefined
      : { kind: "leaf", seqs: own, tokens, isShort: false };
  }
  const ids = allOf(sources.ids, taken);
  const tokens = sumOf(allOf(ids, tokensAt));
  return ids === undefined || tokens === undefined ? undefined : { kind: "condensed", depth, ids, tokens };
}

function allOf<Key, Value>(
  keys: readonly Key[] | undefined,
  values: ReadonlyMap<Key | number | string, Value>,
): Value[] | undefined {
  const found = keys?.map((key) => values.get(key)).filter((value) => value !== undefined);
  return found?.length === keys?.length ? found : undefined;
}

function sumOf(counts: readonly number[] | undefined): number | undefined {
  return counts?.reduce((sum, count) => sum + count, 0);
}
