/**
 * Imports the summaries that a host made of a session, with their sources, and makes the context equal to the host's.
 * Each is published like one of ours, so it replaces exactly its sources in the context. A summary that cannot be placed
 * is reported and not published; its messages stay in the context instead.
 */
import { isPalimpsestError } from "../../errors.ts";
import type { DocumentSession, DocumentSummary } from "../../message/hosts/documents/document-format.ts";
import { everyRow } from "../../store/every-row.ts";
import type { ScopedStore, SummarySources } from "../../store/store.ts";
import { importedSummaryId } from "../../text/identifiers.ts";
import { isoTime, normaliseTimestamp } from "../../text/timestamps.ts";
import { seqsOfItem } from "../read/seqs-under.ts";
import { appendToConversation } from "./append-to-conversation.ts";
import { withOurIds } from "./compare-with-source.ts";
import type { IngestDependencies } from "./ingest-dependencies.ts";

interface TakenSummaries {
  readonly published: number;
  readonly left: readonly { readonly id: string; readonly problem: string }[];
}

interface Taking {
  readonly conversation: string;
  readonly use: IngestDependencies;
  /** Messages by the host's entry ids. */
  readonly seqs: ReadonlyMap<string, number>;
  /** Stored summaries by the host's ids. */
  readonly known: Map<string, string>;
}

export async function takeSummaries(
  conversation: string,
  { summaries = [], shown = null }: DocumentSession,
  use: IngestDependencies,
): Promise<TakenSummaries> {
  if (summaries.length === 0 && shown === null) return { published: 0, left: [] };
  const taking: Taking = {
    conversation,
    use,
    seqs: await seqsByKey(use.store, conversation),
    known: new Map(),
  };
  const left: { id: string; problem: string }[] = [];
  let published = 0;
  for (const summary of inOrder(summaries)) {
    const outcome = await take(summary, taking);
    if (outcome === "published") published++;
    else if (outcome !== "known") left.push({ id: summary.id, problem: outcome });
  }
  if (shown !== null) await leaveOut(shown, summaries, taking);
  return { published, left };
}

/** Sources before the summaries made from them. Summaries in a cycle come last, without their sources. */
function inOrder(summaries: readonly DocumentSummary[]): DocumentSummary[] {
  const byId = new Map(summaries.map((summary) => [summary.id, summary]));
  const ordered = new Set<DocumentSummary>();
  const visit = (summary: DocumentSummary, above: readonly string[]): void => {
    if (ordered.has(summary) || above.includes(summary.id)) return;
    if (summary.from.type === "summaries")
      for (const id of summary.from.ids) {
        const source = byId.get(id);
        if (source !== undefined) visit(source, [...above, summary.id]);
      }
    ordered.add(summary);
  };
  for (const summary of summaries) visit(summary, []);
  return [...ordered];
}

async function seqsByKey(store: ScopedStore, conversation: string): Promise<ReadonlyMap<string, number>> {
  const seqs = new Map<string, number>();
  const rows = everyRow((from) => store.messages(conversation, { from, withoutContent: true }));
  for await (const { key, seq } of rows) seqs.set(key, seq);
  return seqs;
}

/** The result, or why it cannot be placed. */
async function take(summary: DocumentSummary, taking: Taking): Promise<string> {
  const { conversation, use, known } = taking;
  const id = importedSummaryId(conversation, summary.id);
  const sources = sourcesOf(summary, taking);
  if ((await use.store.summary(id)) !== undefined) {
    known.set(summary.id, id);
    return "known";
  }
  if (typeof sources === "string") return sources;
  if (summary.text === "") return "has no text";
  try {
    await publish(id, summary, sources, taking);
  } catch (error) {
    if (!isPalimpsestError(error, "busy") && !isPalimpsestError(error, "invalid-input")) throw error;
    return "has sources that are not adjacent in the context";
  }
  known.set(summary.id, id);
  return "published";
}

function sourcesOf({ from }: DocumentSummary, { seqs, known }: Taking): SummarySources | string {
  if (from.ids.length === 0) return "has no sources";
  const missing = from.ids.filter((id) => !(from.type === "messages" ? seqs : known).has(id));
  if (missing.length > 0) return `has sources that could not be imported: ${missing.join(", ")}`;
  return from.type === "messages"
    ? { type: "messages", seqs: from.ids.flatMap((id) => seqs.get(id) ?? []) }
    : { type: "summaries", ids: from.ids.flatMap((id) => known.get(id) ?? []) };
}

async function publish(
  id: string,
  { text, model, createdAt }: DocumentSummary,
  sources: SummarySources,
  { conversation, use, known }: Taking,
): Promise<void> {
  const at = isoTime(use.clock());
  // The text refers to other summaries by the host's ids, which are unknown here.
  const content = withOurIds(text, known);
  const tokenCount = use.countTokens(content);
  const before = (await use.store.conversation({ id: conversation }))?.contextTokens ?? 0;
  const made = normaliseTimestamp(createdAt) ?? at;
  const about = { quality: "normal", model, fileIds: [], fidelity: null, createdAt: made } as const;
  const event = {
    trigger: "import",
    tokensBefore: before,
    tokensAfter: before,
    milliseconds: 0,
    freshFrom: 0,
  };
  await use.store.commit([
    {
      kind: "publish",
      id: conversation,
      summary: { id, content, tokenCount, sources, ...about },
      event: { at, summary: id, ...event },
      at,
    },
  ]);
}

/** A host's context may have dropped the beginning, for example after `/new`. It stays stored. */
async function leaveOut(
  shown: ReadonlySet<string>,
  summaries: readonly DocumentSummary[],
  { conversation, use, seqs }: Taking,
): Promise<void> {
  const kept = withSources(shown, summaries);
  const keptSeqs = new Set([...seqs].flatMap(([key, seq]) => (kept.has(key) ? [seq] : [])));
  const leaving: number[] = [];
  for await (const item of everyRow((from) => use.store.contextItems(conversation, { from }))) {
    const under = await seqsOfItem(use.store, item);
    if (!under.some((seq) => keptSeqs.has(seq))) leaving.push(...under);
  }
  if (leaving.length === 0) return;
  const leaveContext = leaving.map((seq) => ({ seq, reason: "reset" as const }));
  await appendToConversation({ address: { id: conversation }, leaveContext }, use);
}

/** A summary that could not be imported is replaced by its sources. */
function withSources(shown: ReadonlySet<string>, summaries: readonly DocumentSummary[]): ReadonlySet<string> {
  const kept = new Set(shown);
  for (const { id, from } of inOrder(summaries).toReversed())
    if (kept.has(id)) for (const source of from.ids) kept.add(source);
  return kept;
}
