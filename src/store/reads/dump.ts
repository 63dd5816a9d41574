/** Every row that is not a cache, in the fixed order of the contract, read from one snapshot. */
import type { Scope } from "../../types.ts";
import { everyRow } from "../every-row.ts";
import type { StoredFile } from "../file-store.ts";
import type { Reader } from "../port.ts";
import type {
  DumpedFile,
  DumpRow,
  MessageQuery,
  Page,
  StoredMessage,
  StoredTranscriptLine,
  Transcript,
  TranscriptLineQuery,
} from "../store.ts";
import { readReceipts } from "../tables/assembly-receipts.ts";
import { type AuditRow, dumpAuditPage, toAudit } from "../tables/audit-log.ts";
import { readEvents } from "../tables/compaction-events.ts";
import { readContextItems } from "../tables/context-items.ts";
import { type ConversationRow, dumpConversationPage, toConversation } from "../tables/conversations.ts";
import { readLostTranscripts } from "../tables/lost-transcripts.ts";
import { readTranscripts } from "../tables/transcripts.ts";
import { readTurns } from "../tables/turns.ts";
import { dumpMemories } from "./dump-memories.ts";
import { readSummaries } from "./summaries.ts";

/** Reads inside the snapshot, and reads that each engine implements itself. */
export interface DumpSource extends Reader {
  messagesWithFiles(
    scope: Scope,
    conversation: string,
    query: Pick<MessageQuery, "from" | "payloads">,
  ): Promise<Page<MessageWithFiles>>;
  /** Pieces of a content, each with its byte offset; one empty piece for an empty content. */
  contentPieces(scope: Scope, file: StoredFile): AsyncIterable<readonly [number, Uint8Array]>;
  transcriptLines(
    scope: Scope,
    conversation: string,
    query: TranscriptLineQuery,
  ): Promise<Page<StoredTranscriptLine>>;
}

/** A message with its payloads. */
export interface MessageWithFiles {
  readonly message: StoredMessage;
  readonly files: readonly StoredFile[];
}

export async function* dumpRows(source: DumpSource): AsyncGenerator<DumpRow> {
  for await (const row of conversationsOf(source)) {
    yield dumpHead(row);
    yield* dumpConversation(source, row, row.uid);
  }
  yield* dumpMemories(source);
  yield* dumpAudit(source);
}

export type ScopedRow = ConversationRow & Scope;

const PAGE_ROWS = 500;

export async function* conversationsOf(source: Reader): AsyncGenerator<ScopedRow> {
  let after: readonly [string, string, string] = ["", "", ""];
  for (;;) {
    const rows = await dumpConversationPage(source, after, PAGE_ROWS);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    after = [last.tenant, last.agent, last.uid];
  }
}

export function dumpHead(row: ScopedRow): DumpRow {
  return { row: "conversation", tenant: row.tenant, agent: row.agent, ...toConversation(row) };
}

/** The rows of a conversation, without the conversation itself. */
export async function* dumpConversation(
  source: DumpSource,
  scope: Scope,
  conversation: string,
): AsyncGenerator<DumpRow> {
  for await (const { message, files } of everyRow((from) =>
    source.messagesWithFiles(scope, conversation, { from }),
  )) {
    yield* dumpContents(source, scope, conversation, files);
    yield { row: "message", conversation, ...message, files: files.map(toDumped) };
  }
  yield* dumpBesideMessages(source, scope, conversation);
}

/** Rows of a conversation that refer to its messages. */
export async function* dumpBesideMessages(
  source: DumpSource,
  scope: Scope,
  conversation: string,
): AsyncGenerator<DumpRow> {
  for await (const summary of everyRow((from) => readSummaries(source, scope, conversation, { from })))
    yield { row: "summary", ...summary };
  for await (const event of everyRow((from) => readEvents(source, scope, conversation, { from })))
    yield { row: "compaction-event", conversation, ...event };
  for await (const item of everyRow((from) => readContextItems(source, scope, conversation, { from })))
    yield { row: "context-item", conversation, ...item };
  for await (const turn of everyRow((from) => readTurns(source, scope, conversation, { from })))
    yield { row: "turn", conversation, ...turn };
  for await (const receipt of everyRow((from) => readReceipts(source, scope, conversation, { from })))
    yield { row: "receipt", conversation, ...receipt };
  yield* dumpTranscripts(source, scope, conversation);
}

async function* dumpTranscripts(
  source: DumpSource,
  scope: Scope,
  conversation: string,
): AsyncGenerator<DumpRow> {
  yield* withLines(source, scope, conversation, await readTranscripts(source, scope, conversation));
}

/** Lines of missing transcripts, under transcripts that are reconstructed from them. */
export async function* dumpLostTranscripts(
  source: DumpSource,
  scope: Scope,
  conversation: string,
): AsyncGenerator<DumpRow> {
  yield* withLines(source, scope, conversation, await readLostTranscripts(source, scope, conversation));
}

async function* withLines(
  source: DumpSource,
  scope: Scope,
  conversation: string,
  transcripts: readonly Transcript[],
): AsyncGenerator<DumpRow> {
  for (const transcript of transcripts) yield { row: "transcript", ...transcript };
  for (const { number: transcript } of transcripts)
    for await (const line of everyRow((from) =>
      source.transcriptLines(scope, conversation, { transcript, from }),
    ))
      yield { row: "transcript-line", conversation, ...line };
}

/** Contents of files that are not part of a message. */
async function* dumpContents(
  source: DumpSource,
  scope: Scope,
  conversation: string,
  files: readonly StoredFile[],
): AsyncGenerator<DumpRow> {
  for (const file of files)
    if (file.places.length === 0)
      for await (const [start, content] of source.contentPieces(scope, file))
        yield { row: "file-content", conversation, hash: file.content, start, content };
}

export function toDumped({ conversation, seq, ordinal, bytes, lines, ...file }: StoredFile): DumpedFile {
  return file;
}

export async function* dumpAudit(source: Reader): AsyncGenerator<DumpRow> {
  let after: readonly [string, string, number] = ["", "", 0];
  for (;;) {
    const rows: AuditRow[] = await dumpAuditPage(source, after, PAGE_ROWS);
    for (const row of rows) yield { row: "audit", tenant: row.tenant, agent: row.agent, ...toAudit(row) };
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    after = [last.tenant, last.agent, last.audit_id];
  }
}
