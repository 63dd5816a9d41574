/**
 * Reads a session back after its import and compares it with its source: each message is stored once, in the source's order and
 * with the same content, and each imported summary has the same text and sources. Reports differences and changes
 * nothing. Messages erased since are not counted as differences.
 */

import type {
  DocumentEntry,
  DocumentMessage,
  DocumentSummary,
} from "../../message/hosts/documents/document-format.ts";
import { messageValue } from "../../message/stored-value.ts";
import { everyRow } from "../../store/every-row.ts";
import type { ScopedStore, StoredSummary } from "../../store/store.ts";
import { importedSummaryId } from "../../text/identifiers.ts";
import { storableName } from "../../text/utf8.ts";
import { pathOf } from "./import-entries.ts";

interface Compared {
  readonly conversation: string;
  readonly source: string;
  readonly entries: readonly DocumentEntry[];
  /** The imported summaries. */
  readonly summaries: readonly DocumentSummary[];
}

/** By the host's entry ids; a seq is null once the entry was erased. */
type Seqs = ReadonlyMap<string, number | null>;

export async function compareWithSource(store: ScopedStore, compared: Compared): Promise<readonly string[]> {
  const seqs = await seqsById(store, compared);
  const messages = compared.entries.filter((entry) => "message" in entry);
  return [
    ...orderProblems(messages, seqs),
    ...(await contentProblems(store, compared.conversation, messages, seqs)),
    ...(await summaryProblems(store, compared, seqs)),
  ];
}

/** The newest line of an entry determines its message. */
async function seqsById(store: ScopedStore, { conversation, source }: Compared): Promise<Seqs> {
  const seqs = new Map<string, number | null>();
  for (const { path, number } of await store.transcripts(conversation)) {
    if (path !== pathOf(source)) continue;
    const query = { transcript: number, withoutContent: true };
    const lines = everyRow((from) => store.transcriptLines(conversation, { ...query, from }));
    for await (const { entryKey, seq, hash } of lines)
      if (entryKey !== null && (seq !== null || hash === null))
        seqs.set(entryKey, hash === null ? null : seq);
  }
  return seqs;
}

function orderProblems(messages: readonly DocumentMessage[], seqs: Seqs): string[] {
  const problems: string[] = [];
  let last = { id: "", seq: 0 };
  for (const { id } of messages) {
    const seq = seqs.get(storableName(id));
    if (seq === undefined) problems.push(`${id} is not on record`);
    else if (seq !== null && seq <= last.seq) problems.push(`${id} is on record before ${last.id}`);
    else if (seq !== null) last = { id, seq };
  }
  return problems;
}

async function contentProblems(
  store: ScopedStore,
  conversation: string,
  messages: readonly DocumentMessage[],
  seqs: Seqs,
): Promise<string[]> {
  const expected = new Map(messages.map((message) => [seqs.get(storableName(message.id)), message]));
  const problems: string[] = [];
  for await (const row of everyRow((from) => store.messages(conversation, { from }))) {
    const entry = expected.get(row.seq);
    if (entry === undefined) continue;
    expected.delete(row.seq);
    if (row.content !== null && JSON.stringify(messageValue(row)) !== JSON.stringify(entry.message))
      problems.push(`${entry.id} is on record with other content`);
  }
  for (const [seq, { id }] of expected)
    if (typeof seq === "number") problems.push(`${id} has no message on record`);
  return problems;
}

async function summaryProblems(
  store: ScopedStore,
  { conversation, summaries }: Compared,
  seqs: Seqs,
): Promise<string[]> {
  const ids = new Map(summaries.map(({ id }) => [id, importedSummaryId(conversation, id)]));
  const problems: string[] = [];
  for (const summary of summaries) {
    const stored = await store.summary(importedSummaryId(conversation, summary.id));
    if (stored === undefined) problems.push(`${summary.id} is not on record`);
    else {
      const isErased = stored.content === null;
      if (!isErased && withOurIds(stored.content, ids) !== withOurIds(summary.text, ids))
        problems.push(`${summary.id} is on record with another text`);
      if (!isErased && !hasSources(stored, summary, ids, seqs))
        problems.push(`${summary.id} is on record with other sources`);
    }
  }
  return problems;
}

/** A summary refers to others by the host's ids; stored ones refer to them by ours. */
export function withOurIds(text: string, ids: ReadonlyMap<string, string>): string {
  return text.replace(/sum_[0-9a-f]+/g, (name) => ids.get(name) ?? name);
}

function hasSources(
  { sources }: StoredSummary,
  { from }: DocumentSummary,
  ids: ReadonlyMap<string, string>,
  seqs: Seqs,
): boolean {
  const found = sources.type === "messages" ? sources.seqs : sources.ids;
  const named = from.type === "messages" ? seqs : ids;
  return from.ids.length === found.length && from.ids.every((id, at) => named.get(id) === found[at]);
}
