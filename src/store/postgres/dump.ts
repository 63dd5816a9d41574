/** Every row of truth in the fixed order of the contract, from the snapshot of one transaction. */
import type pg from "pg";
import type { Scope } from "../../types.ts";
import { everyRow } from "../every-row.ts";
import type { StoredFile } from "../file-store.ts";
import type { DumpedFile, DumpRow } from "../store.ts";
import { type AuditRow, toAudit } from "./audit-log.ts";
import { readEvents } from "./compaction-events.ts";
import { readContextItems } from "./context-items.ts";
import { CONVERSATION_COLUMNS, type ConversationRow, toConversation } from "./conversations.ts";
import { dumpMemories, MEMORY_TABLES } from "./memory/dump-memories.ts";
import { readMessagesWithFiles } from "./messages.ts";
import { contentPieces } from "./read-contents.ts";
import { readSummaries } from "./read-summaries.ts";
import { readReceipts } from "./receipts.ts";
import { Transaction } from "./transaction.ts";
import { readLines } from "./transcript-lines.ts";
import { readTranscripts } from "./transcripts.ts";
import { readTurns } from "./turns.ts";

const PAGE_ROWS = 500;

/** Tables that `replace` empties. Locked first, because emptying does not wait for snapshots, only for locks. */
const TABLES = `conversations, messages, large_files, file_contents, file_chunks, message_parts, summaries,
  summary_messages, summary_parents, context_items, context_exclusions, compaction_events, turns, assembly_receipts,
  conversation_bootstrap_state, transcript_lines, audit_log, ${MEMORY_TABLES.join(", ")}`;

export async function* dumpRows(client: pg.Client): AsyncGenerator<DumpRow> {
  const snapshot = new Transaction(client);
  snapshot.begin("REPEATABLE READ, READ ONLY");
  // Whoever takes the rows may take their time.
  await snapshot.script("SET LOCAL idle_in_transaction_session_timeout = 0");
  await snapshot.script(`LOCK TABLE ${TABLES} IN ACCESS SHARE MODE`);
  for await (const { tenant, agent, ...row } of conversations(snapshot)) {
    yield { row: "conversation", tenant, agent, ...toConversation(row) };
    yield* dumpConversation(snapshot, { tenant, agent }, row.uid);
  }
  yield* dumpMemories(snapshot);
  yield* dumpAudit(snapshot);
  await snapshot.commit();
}

type ScopedRow = ConversationRow & Scope;

async function* conversations(snapshot: Transaction): AsyncGenerator<ScopedRow> {
  let after: readonly [string, string, string] = ["", "", ""];
  for (;;) {
    const rows = await snapshot.rows<ScopedRow>(
      `SELECT tenant, agent, ${CONVERSATION_COLUMNS} FROM conversations WHERE (tenant, agent, uid) > ($1, $2, $3)
       ORDER BY tenant, agent, uid LIMIT ${PAGE_ROWS}`,
      ...after,
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    after = [last.tenant, last.agent, last.uid];
  }
}

async function* dumpConversation(
  snapshot: Transaction,
  scope: Scope,
  conversation: string,
): AsyncGenerator<DumpRow> {
  for await (const { message, files } of everyRow((from) =>
    readMessagesWithFiles(snapshot, scope, conversation, { from }),
  )) {
    yield* dumpContents(snapshot, scope, conversation, files);
    yield { row: "message", conversation, ...message, files: files.map(toDumped) };
  }
  for await (const summary of everyRow((from) => readSummaries(snapshot, scope, conversation, { from })))
    yield { row: "summary", ...summary };
  for await (const event of everyRow((from) => readEvents(snapshot, scope, conversation, { from })))
    yield { row: "compaction-event", conversation, ...event };
  for await (const item of everyRow((from) => readContextItems(snapshot, scope, conversation, { from })))
    yield { row: "context-item", conversation, ...item };
  for await (const turn of everyRow((from) => readTurns(snapshot, scope, conversation, { from })))
    yield { row: "turn", conversation, ...turn };
  for await (const receipt of everyRow((from) => readReceipts(snapshot, scope, conversation, { from })))
    yield { row: "receipt", conversation, ...receipt };
  const transcripts = await readTranscripts(snapshot, scope, conversation);
  for (const transcript of transcripts) yield { row: "transcript", ...transcript };
  for (const { number } of transcripts)
    for await (const line of everyRow((from) =>
      readLines(snapshot, scope, conversation, { transcript: number, from }),
    ))
      yield { row: "transcript-line", conversation, ...line };
}

/** Of files that stand in no place of their message. */
async function* dumpContents(
  snapshot: Transaction,
  scope: Scope,
  conversation: string,
  files: readonly StoredFile[],
): AsyncGenerator<DumpRow> {
  for (const file of files)
    if (file.places.length === 0)
      for await (const [start, content] of contentPieces(snapshot, scope, file))
        yield { row: "file-content", conversation, hash: file.content, start, content };
}

function toDumped({ conversation, seq, ordinal, bytes, lines, ...file }: StoredFile): DumpedFile {
  return file;
}

/** `at` is no key, so pages are cut by the position inside each scope. */
async function* dumpAudit(snapshot: Transaction): AsyncGenerator<DumpRow> {
  let after: readonly [string, string, number] = ["", "", 0];
  for (;;) {
    const rows = await snapshot.rows<AuditRow>(
      `SELECT * FROM audit_log WHERE (tenant, agent, audit_id) > ($1, $2, $3::bigint)
       ORDER BY tenant, agent, audit_id LIMIT ${PAGE_ROWS}`,
      ...after,
    );
    for (const row of rows) yield { row: "audit", tenant: row.tenant, agent: row.agent, ...toAudit(row) };
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    after = [last.tenant, last.agent, last.audit_id];
  }
}
