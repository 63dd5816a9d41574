import type { MessageFormat, Scope } from "../../types.ts";
import type { Transcript, TranscriptBasis, TranscriptWrite } from "../store.ts";
import { basisOf } from "../transcript-basis.ts";
import { CONVERSATION_ID, HELD_CONVERSATION } from "./conversations.ts";
import { bytes } from "./rows.ts";
import type { Session } from "./session.ts";
import type { Transaction } from "./transaction.ts";

type State = TranscriptWrite["state"];

export function writeState(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  state: State,
  at: string,
): void {
  transaction.send(UPSERT_STATE, ...stateValues(scope, conversationId, state, at));
}

/** For loading: of two states of one transcript, the one that has read further stays. */
export function advanceState(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  state: State,
  at: string,
): void {
  transaction.send(
    `${UPSERT_STATE} WHERE state.line_count < excluded.line_count`,
    ...stateValues(scope, conversationId, state, at),
  );
}

const UPSERT_STATE = `INSERT INTO conversation_bootstrap_state AS state (tenant, conversation_id, transcript,
    session_file_path, format, previous_transcript, shared_lines, line_count, last_seen_size, last_seen_mtime_ms,
    last_processed_offset, last_processed_entry_hash, last_processed_entry_size, reader_version, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
  ON CONFLICT (tenant, conversation_id, transcript) DO UPDATE SET
    session_file_path = excluded.session_file_path, format = excluded.format,
    previous_transcript = excluded.previous_transcript, shared_lines = excluded.shared_lines,
    line_count = excluded.line_count, last_seen_size = excluded.last_seen_size,
    last_seen_mtime_ms = excluded.last_seen_mtime_ms, last_processed_offset = excluded.last_processed_offset,
    last_processed_entry_hash = excluded.last_processed_entry_hash,
    last_processed_entry_size = excluded.last_processed_entry_size, reader_version = excluded.reader_version,
    updated_at = excluded.updated_at`;

function stateValues(scope: Scope, conversationId: number, state: State, at: string): readonly unknown[] {
  return [
    scope.tenant,
    conversationId,
    state.number,
    state.path,
    state.format,
    state.previous,
    state.sharedLines,
    state.lineCount,
    state.size,
    state.modifiedAtMs,
    state.offset,
    bytes(state.lastLineHash),
    state.lastLineBytes,
    state.readerVersion,
    at,
  ];
}

type StateRow = {
  uid: string;
  transcript: number;
  session_file_path: string;
  format: MessageFormat;
  previous_transcript: number | null;
  shared_lines: number;
  line_count: number;
  last_seen_size: number;
  last_seen_mtime_ms: number;
  last_processed_offset: number;
  entry_hash: string | null;
  last_processed_entry_size: number;
  reader_version: number;
  updated_at: string;
};

const SELECT_STATE = `SELECT s.*, c.uid, encode(s.last_processed_entry_hash, 'hex') AS entry_hash
  FROM conversation_bootstrap_state s JOIN conversations c USING (tenant, conversation_id)`;

export async function readTranscripts(
  session: Session | Transaction,
  scope: Scope,
  conversation: string,
): Promise<Transcript[]> {
  const rows = await session.rows<StateRow>(
    `${SELECT_STATE} WHERE tenant = $1 AND conversation_id = ${CONVERSATION_ID} ORDER BY s.transcript`,
    scope.tenant,
    scope.agent,
    conversation,
  );
  return rows.map(toTranscript);
}

/** What is on record now of that from which a write was planned, in the conversation that the transaction has locked. */
export async function readBasis(
  transaction: Transaction,
  scope: Scope,
  planned: TranscriptBasis,
): Promise<TranscriptBasis> {
  const base = planned.base?.number ?? null;
  const rows = await transaction.rows<StateRow>(
    `${SELECT_STATE} WHERE tenant = $1 AND conversation_id = ${HELD_CONVERSATION} AND (s.transcript = $2
       OR s.transcript = (SELECT max(transcript) FROM conversation_bootstrap_state
         WHERE tenant = $1 AND conversation_id = ${HELD_CONVERSATION}))`,
    scope.tenant,
    base,
  );
  return basisOf(rows.map(toTranscript), base);
}

/** The newest version of each transcript that was read from this path. */
export async function readTranscriptsAt(session: Session, scope: Scope, path: string): Promise<Transcript[]> {
  const rows = await session.rows<StateRow>(
    `${SELECT_STATE} WHERE tenant = $1 AND c.agent = $2 AND s.session_file_path = $3 AND s.transcript =
       (SELECT max(n.transcript) FROM conversation_bootstrap_state n WHERE n.tenant = $1
        AND n.conversation_id = s.conversation_id AND n.session_file_path = s.session_file_path)
     ORDER BY s.updated_at, c.uid`,
    scope.tenant,
    scope.agent,
    path,
  );
  return rows.map(toTranscript);
}

function toTranscript(row: StateRow): Transcript {
  return {
    conversation: row.uid,
    number: row.transcript,
    path: row.session_file_path,
    format: row.format,
    previous: row.previous_transcript,
    sharedLines: row.shared_lines,
    lineCount: row.line_count,
    offset: row.last_processed_offset,
    size: row.last_seen_size,
    modifiedAtMs: row.last_seen_mtime_ms,
    lastLineHash: row.entry_hash,
    lastLineBytes: row.last_processed_entry_size,
    readerVersion: row.reader_version,
    updatedAt: row.updated_at,
  };
}
