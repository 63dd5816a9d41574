/** Every row of truth in the fixed order of the contract, read from the snapshot of one open transaction. */
import { decodeExactly } from "../../text/utf8.ts";
import type { StoredFile } from "../file-store.ts";
import type { DumpedFile, DumpRow, StoredMessage, StoredTranscriptLine } from "../store.ts";
import { type AuditRow, toAudit } from "./audit-log.ts";
import { readEvents } from "./compaction-events.ts";
import { readContextItems } from "./context-items.ts";
import { type ConversationRow, toConversation } from "./conversations.ts";
import type { Database } from "./database.ts";
import { dumpMemories } from "./dump-memories.ts";
import { contentPieces } from "./file-contents.ts";
import { readFilesOf } from "./large-files.ts";
import { readMessages } from "./messages.ts";
import { readReceipts } from "./receipts.ts";
import { readSummaries } from "./summaries.ts";
import { readLinesOf, readTranscripts } from "./transcripts.ts";
import { readTurns } from "./turns.ts";

export function* dumpRows(database: Database): Generator<DumpRow> {
  for (const row of dumpOrder(database)) {
    yield dumpHead(row);
    yield* dumpConversation(database, row);
  }
  yield* dumpMemories(database);
  yield* dumpAudit(database);
}

export function dumpOrder(database: Database): ConversationRow[] {
  return database.all<ConversationRow>("SELECT * FROM conversations ORDER BY tenant, agent, uid");
}

export function dumpHead(row: ConversationRow): DumpRow {
  return { row: "conversation", tenant: row.tenant, agent: row.agent, ...toConversation(row) };
}

/** What belongs to a conversation, without the conversation itself. */
export function* dumpConversation(
  database: Database,
  { conversation_id, uid }: ConversationRow,
): Generator<DumpRow> {
  for (const page of pages((from) => readMessages(database, conversation_id, { from })))
    for (const message of unpack<StoredMessage>(page)) {
      const files = readFilesOf(database, conversation_id, message.seq);
      for (const { places, content: hash, bytes } of files)
        if (places.length === 0)
          for (const [start, content] of contentPieces(database, hash, bytes))
            yield { row: "file-content", conversation: uid, hash, start, content };
      yield { row: "message", conversation: uid, ...message, files: files.map(toDumped) };
    }
  for (const page of pages((from) => readSummaries(database, conversation_id, { from })))
    for (const summary of page.rows) yield { row: "summary", ...summary };
  for (const page of pages((from) => readEvents(database, conversation_id, { from })))
    for (const event of page.rows) yield { row: "compaction-event", conversation: uid, ...event };
  for (const page of pages((from) => readContextItems(database, conversation_id, { from })))
    for (const item of page.rows) yield { row: "context-item", conversation: uid, ...item };
  for (const page of pages((from) => readTurns(database, conversation_id, { from })))
    for (const turn of page.rows) yield { row: "turn", conversation: uid, ...turn };
  for (const page of pages((from) => readReceipts(database, conversation_id, { from })))
    for (const receipt of page.rows) yield { row: "receipt", conversation: uid, ...receipt };
  const transcripts = readTranscripts(database, conversation_id);
  for (const transcript of transcripts) yield { row: "transcript", ...transcript };
  for (const { number } of transcripts)
    for (const page of pages((from) => readLinesOf(database, conversation_id, { transcript: number, from })))
      for (const line of unpack<StoredTranscriptLine>(page))
        yield { row: "transcript-line", conversation: uid, ...line };
}

function toDumped({ conversation, seq, ordinal, bytes, lines, ...file }: StoredFile): DumpedFile {
  return file;
}

export function* dumpAudit(database: Database): Generator<DumpRow> {
  for (const row of database.iterate<AuditRow & { tenant: string; agent: string }>(
    "SELECT * FROM audit_log ORDER BY tenant, agent, audit_id",
  ))
    yield { row: "audit", tenant: row.tenant, agent: row.agent, ...toAudit(row) };
}

function* pages<Page extends { next: number | null }>(read: (from: number) => Page): Generator<Page> {
  for (let from: number | null = 0; from !== null; ) {
    const page: Page = read(from);
    yield page;
    from = page.next;
  }
}

/** Gives the rows of a packed page their contents back: text where it is text, bytes where it is not. */
export function* unpack<Row extends { content: string | Uint8Array | null }>(page: {
  readonly rows: readonly Omit<Row, "content">[];
  readonly lengths: readonly number[];
  readonly contents: Uint8Array;
}): Generator<Row> {
  let offset = 0;
  for (const [index, row] of page.rows.entries()) {
    const length = page.lengths[index] ?? -1;
    const slice = length < 0 ? null : page.contents.subarray(offset, offset + length);
    offset += Math.max(length, 0);
    // Bytes are copied, so that one odd message does not keep the whole page in memory.
    const content = slice === null ? null : (decodeExactly(slice) ?? slice.slice());
    yield { ...row, content } as Row;
  }
}
