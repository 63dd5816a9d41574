/** Takes in the rows of a dump inside one transaction. Each conversation's chain is checked as it comes in. */
import { PalimpsestError } from "../../errors.ts";
import type { ContextComparison } from "../compare-contexts.ts";
import type { DatedFile } from "../file-store.ts";
import { follows } from "../seal.ts";
import type { DumpedFile, DumpRow, LoadReport, StoredMessage } from "../store.ts";
import { writeAudit } from "./audit-log.ts";
import { insertEvent } from "./compaction-events.ts";
import type { ContentWriter } from "./content-folder.ts";
import { insertMessageItem, insertSummaryItem, recountContext } from "./context-items.ts";
import { type ConversationRow, findConversation } from "./conversations.ts";
import type { Database } from "./database.ts";
import { takeDescription } from "./describe-file.ts";
import { eraseSummariesAbove } from "./erase.ts";
import { keepWritten } from "./file-contents.ts";
import { type MemoryDumpRow, MemoryLoader } from "./load-memories.ts";
import { insertParts } from "./message-parts.ts";
import { insertExclusion } from "./messages.ts";
import { storeOriginal } from "./original-of.ts";
import { insertReceipt } from "./receipts.ts";
import { compareWithStored, dropContext, takeNames } from "./replace-context.ts";
import { bytes, hex, messageRowId, rowIdRange } from "./rows.ts";
import { findSummaryNumber, insertSummary } from "./summaries.ts";
import { writeLine, writeState } from "./transcripts.ts";
import { insertTurn } from "./turns.ts";

type Incoming<Kind extends DumpRow["row"]> = Extract<DumpRow, { row: Kind }>;

type ConversationPart = Exclude<
  DumpRow,
  { row: "conversation" | "memory" | "decision" | "capture" | "audit" }
>;

type Erased = { seq: number; erased_at: string };

interface Target {
  readonly id: number;
  readonly uid: string;
  /** Messages that were there before; incoming ones up to here are compared, not inserted. */
  readonly known: number;
  /** Those of them that were erased here. */
  readonly erased: readonly Erased[];
  readonly incoming: Incoming<"conversation">;
  /** Null for a conversation that was not here. */
  readonly comparison: ContextComparison | null;
  /** Which context holds; undecided until all messages and summaries have come. */
  context: "undecided" | "stored" | "incoming";
  lastSeq: number;
  lastSummary: number;
  hash: string;
}

/**
 * Empties every table, so that what follows replaces it. Scopes of memories stay, because they know which numbers were given
 * out: a number that means other words than before would be taken for what somebody still holds under it.
 */
export function emptyStore(database: Database): void {
  const tables = [
    "memory_segments",
    "vector_progress",
    "vector_bits",
    "vectors",
    "vector_models",
    "memory_captures",
    "memory_decisions",
    "memory_events",
    "memory_uses",
    "memory_relations",
    "memory_sources",
    "memory_tags",
    "memories",
    "search_pages",
    "search_runs",
    "search_progress",
    "search_segments",
    "compaction_locks",
    "compaction_events",
    "summary_messages",
    "summary_parents",
    "summaries",
    "transcript_lines",
    "conversation_bootstrap_state",
    "context_items",
    "context_exclusions",
    "assembly_receipts",
    "turns",
    "message_parts",
    "messages",
    "large_files",
    "file_contents",
    "conversations",
    "audit_log",
  ];
  for (const table of tables) database.run(`DELETE FROM ${table}`);
}

export class Loader {
  readonly #database: Database;
  #target: Target | undefined;
  #conversations = 0;
  #messages = 0;
  #summaries = 0;
  #alreadyThere = 0;
  /** A content that is coming in. */
  #content: { readonly hash: string; bytes: number; readonly writer: ContentWriter } | undefined;

  readonly #memories: MemoryLoader;

  constructor(database: Database) {
    this.#database = database;
    this.#memories = new MemoryLoader(database);
  }

  take(row: DumpRow): void {
    if (row.row === "conversation") this.#startConversation(row);
    else if (row.row === "audit") this.#takeAudit(row);
    else if (row.row === "memory" || row.row === "decision" || row.row === "capture") this.#takeMemory(row);
    else this.#takeIntoConversation(row, this.#currentTarget(row.conversation));
  }

  /** To be called when it is not finished. */
  abandon(): void {
    this.#content?.writer.abandon();
  }

  finish(): LoadReport {
    this.#endConversation();
    this.#memories.finish();
    return {
      conversations: this.#conversations,
      messages: this.#messages,
      summaries: this.#summaries,
      memories: this.#memories.added,
      alreadyThere: this.#alreadyThere,
    };
  }

  #takeIntoConversation(row: ConversationPart, target: Target): void {
    switch (row.row) {
      case "file-content":
        this.#takeContent(row);
        break;
      case "message":
        this.#takeMessage(row, target);
        break;
      case "summary":
        this.#takeSummary(row, target);
        break;
      case "context-item":
        this.#takeContextItem(row, target);
        break;
      case "compaction-event":
        this.#decideContext(target);
        insertEvent(this.#database, target.id, this.#summaryNumber(target, row.summary), row);
        break;
      case "turn":
        insertTurn(this.#database, target.id, row);
        break;
      case "receipt":
        if (!mayHoldErased(row, target)) insertReceipt(this.#database, target.id, row);
        break;
      case "transcript":
        this.#takeTranscript(row, target);
        break;
      case "transcript-line":
        this.#takeLine(row, target);
        break;
    }
  }

  /** Of two states of one transcript, the one that has read further stays. */
  #takeTranscript(row: Incoming<"transcript">, target: Target): void {
    const known = this.#database.one<{ line_count: number }>(
      "SELECT line_count FROM conversation_bootstrap_state WHERE conversation_id = ? AND transcript = ?",
      target.id,
      row.number,
    );
    if (known === undefined || known.line_count < row.lineCount)
      writeState(this.#database, target.id, row, row.updatedAt);
  }

  /** A line that is known stays as it is, unless it was torn when it was read. */
  #takeLine(row: Incoming<"transcript-line">, target: Target): void {
    const known = this.#database.one<{ kind: string }>(
      "SELECT kind FROM transcript_lines WHERE conversation_id = ? AND transcript = ? AND line = ?",
      target.id,
      row.transcript,
      row.line,
    );
    if (known === undefined || known.kind === "torn")
      writeLine(this.#database, target.id, row.transcript, row, row.seq);
  }

  #startConversation(row: Incoming<"conversation">): void {
    this.#endConversation();
    const existing = findConversation(this.#database, row, { id: row.id });
    if (existing === undefined) this.#refuseTaken(row);
    const id = existing?.conversation_id ?? this.#insertConversation(row);
    if (existing === undefined) this.#conversations++;
    const erased = existing === undefined ? [] : this.#erasedHere(id);
    this.#target = {
      id,
      uid: row.id,
      known: existing?.last_seq ?? 0,
      erased,
      incoming: row,
      comparison: existing === undefined ? null : compareWithStored(this.#database, existing, row, erased),
      context: existing === undefined ? "incoming" : "undecided",
      lastSeq: 0,
      lastSummary: existing?.last_summary ?? 0,
      hash: "",
    };
  }

  #erasedHere(id: number): Erased[] {
    return this.#database.all<Erased>(
      "SELECT seq, erased_at FROM messages WHERE message_id BETWEEN ? AND ? AND erased_at IS NOT NULL",
      ...rowIdRange(id),
    );
  }

  #refuseTaken(row: Incoming<"conversation">): void {
    const elsewhere = this.#database.one<ConversationRow>(
      "SELECT * FROM conversations WHERE uid = ?",
      row.id,
    );
    if (elsewhere !== undefined) throw conflict(`${row.id} is on record for another tenant or agent`);
    if (row.archivedAt !== null) return;
    const { sessionId, sessionKey } = row;
    const active = findConversation(this.#database, row, {
      sessionId: sessionKey ?? sessionId,
      sessionKey: null,
    });
    if (active !== undefined)
      throw conflict(
        `session ${sessionKey ?? sessionId} of ${row.id} is active here as ${active.uid}`,
        `Archive that one first: lcm conversations archive ${active.uid}`,
      );
  }

  #insertConversation(row: Incoming<"conversation">): number {
    return this.#database.insert(
      `INSERT INTO conversations (uid, tenant, agent, session_id, session_key, title, title_is_automatic,
         created_at, updated_at, archived_at, last_seq, token_count, head_hash)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      row.id,
      row.tenant,
      row.agent,
      row.sessionId,
      row.sessionKey,
      row.title,
      row.titleIsAutomatic ? 1 : 0,
      row.createdAt,
      row.updatedAt,
      row.archivedAt,
      row.messageCount,
      row.tokenCount,
      bytes(row.headHash),
    );
  }

  /** A content in pieces, one behind the other. */
  #takeContent({ hash, start, content }: Incoming<"file-content">): void {
    if (start === 0) {
      this.#keepContent();
      this.#content = { hash, bytes: 0, writer: this.#database.contents.startWriting() };
    }
    if (this.#content?.hash !== hash || this.#content.bytes !== start)
      throw corrupt("the content of a file is not complete");
    this.#content.writer.add(content);
    this.#content.bytes += content.byteLength;
  }

  #keepContent(): void {
    const content = this.#content;
    this.#content = undefined;
    if (content === undefined) return;
    const written = content.writer.end();
    if (written.content.hash !== content.hash) throw corrupt("the content of a file does not match its hash");
    keepWritten(this.#database, written);
  }

  #takeMessage(row: Incoming<"message">, target: Target): void {
    this.#keepContent();
    checkSeal(row, target);
    target.lastSeq = row.seq;
    target.hash = row.hash;
    if (row.seq <= target.known) this.#compareMessage(row, target);
    else this.#insertMessage(row, target);
  }

  #compareMessage(row: Incoming<"message">, target: Target): void {
    const known = this.#database.one<{ hash: Uint8Array }>(
      "SELECT hash FROM messages WHERE message_id = ?",
      messageRowId(target.id, row.seq),
    );
    if (known === undefined || hex(known.hash) !== row.hash)
      throw conflict(`${target.uid} differs from what is on record here, from message ${row.seq} on`);
    target.comparison?.message(row);
    for (const file of row.files) takeDescription(this.#database, target.id, file, row);
    this.#alreadyThere++;
  }

  #insertMessage(row: Incoming<"message">, target: Target): void {
    const id = messageRowId(target.id, row.seq);
    const content =
      row.content === null
        ? { encoding: "erased", stored: null, largeContent: null }
        : storeOriginal(this.#database, target.id, row.seq, row.content, row.files.map(toNewFile));
    this.#database.run(
      `INSERT INTO messages (message_id, conversation_id, seq, message_key, role, format, encoding, content,
         token_count, created_at, erased_at, salt, digest, hash, large_content, stub_token_count)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      target.id,
      row.seq,
      row.key,
      row.role,
      row.format,
      content.encoding,
      content.stored,
      row.tokenCount,
      row.createdAt,
      row.erasedAt,
      bytes(row.salt),
      bytes(row.digest),
      bytes(row.hash),
      content.largeContent,
      row.stubTokenCount,
    );
    insertParts(this.#database, id, row.parts);
    if (row.excluded !== null) insertExclusion(this.#database, target.id, row.seq, row.excluded);
    else if (target.comparison !== null) insertMessageItem(this.#database, target.id, row.seq);
    this.#messages++;
  }

  #takeSummary(row: Incoming<"summary">, target: Target): void {
    target.comparison?.summary(row);
    if (findSummaryNumber(this.#database, target.id, row.id) !== undefined) return;
    this.#summaries++;
    insertSummary(this.#database, target.id, ++target.lastSummary, row);
  }

  /** A context on record makes way for one that is ahead of it. Otherwise it stays, and new messages join it. */
  #decideContext(target: Target): void {
    const { id, known, comparison } = target;
    if (target.context !== "undecided" || comparison === null) return;
    target.context = comparison.replacesStored ? "incoming" : "stored";
    if (target.context === "incoming") dropContext(this.#database, id, known, comparison.exclusions);
  }

  #takeContextItem(row: Incoming<"context-item">, target: Target): void {
    this.#decideContext(target);
    if (target.context === "stored") return;
    if (row.type === "message") {
      insertMessageItem(this.#database, target.id, row.seq);
      return;
    }
    const number = this.#summaryNumber(target, row.summary);
    insertSummaryItem(this.#database, target.id, row.ordinal, number, row.tokenCount);
  }

  #summaryNumber(target: Target, id: string): number {
    const number = findSummaryNumber(this.#database, target.id, id);
    if (number === undefined) throw corrupt(`a row of ${target.uid} points to a summary that is missing`);
    return number;
  }

  #takeMemory(row: MemoryDumpRow): void {
    this.#endConversation();
    this.#memories.take(row);
  }

  #takeAudit(row: Incoming<"audit">): void {
    this.#endConversation();
    const known = this.#database.one(
      `SELECT 1 AS found FROM audit_log
       WHERE tenant = ? AND agent = ? AND at = ? AND action = ? AND conversation_uid IS ? AND detail = ?`,
      row.tenant,
      row.agent,
      row.at,
      row.action,
      row.conversation,
      row.detail,
    );
    if (known === undefined) writeAudit(this.#database, row, row);
  }

  #currentTarget(conversation: string): Target {
    if (this.#target === undefined || this.#target.uid !== conversation)
      throw new PalimpsestError("invalid-input", `a row of ${conversation} stands outside its conversation`);
    return this.#target;
  }

  /** All announced messages must have come, and the newest must be the head. */
  #endConversation(): void {
    const target = this.#target;
    this.#target = undefined;
    if (target === undefined) return;
    const { incoming, comparison } = target;
    if (target.lastSeq !== incoming.messageCount || target.hash !== incoming.headHash)
      throw corrupt(`${target.uid} is not complete: message ${target.lastSeq + 1} is missing`);
    if (target.lastSeq > target.known) this.#moveHead(target);
    if (incoming.contextItems === 0) this.#decideContext(target);
    if (target.context === "incoming" && comparison?.isLater) takeNames(this.#database, target.id, incoming);
    this.#keepErased(target);
    this.#recount(target);
  }

  /** What was erased here does not come back in a summary that was made elsewhere. */
  #keepErased({ id, erased }: Target): void {
    const seqs = erased.map(({ seq }) => seq);
    if (seqs.length > 0) eraseSummariesAbove(this.#database, id, seqs);
  }

  #recount(target: Target): void {
    this.#database.run(
      "UPDATE conversations SET last_summary = ? WHERE conversation_id = ?",
      target.lastSummary,
      target.id,
    );
    recountContext(this.#database, target.id);
  }

  #moveHead(target: Target): void {
    this.#database.run(
      `UPDATE conversations SET last_seq = ?, head_hash = ?,
         token_count = (SELECT sum(token_count) FROM messages WHERE conversation_id = ?) WHERE conversation_id = ?`,
      target.lastSeq,
      bytes(target.hash),
      target.id,
      target.id,
    );
  }
}

/** What stands in the message is cut out of it; what does not has come before it. */
function toNewFile(file: DumpedFile): DatedFile {
  return { ...file, content: file.places.length === 0 ? file.content : null };
}

/** A receipt from before an erasure that was made here does not come back. */
function mayHoldErased({ firstSeq, at }: Incoming<"receipt">, { erased }: Target): boolean {
  return erased.some(({ seq, erased_at }) => seq < firstSeq && at <= erased_at);
}

function checkSeal(row: StoredMessage, target: Target): void {
  if (!follows(target, row)) throw corrupt(`message ${row.seq} of ${target.uid} does not match its hash`);
}

function corrupt(message: string): PalimpsestError {
  return new PalimpsestError("store-corrupt", message, {
    advice: "The export was changed or cut. Make it again; nothing was written.",
  });
}

function conflict(message: string, advice = "Nothing was written."): PalimpsestError {
  return new PalimpsestError("conflict", message, { advice });
}
