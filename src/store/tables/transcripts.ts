/** Versions of a host's transcript file and how far each was read: `conversation_bootstrap_state`. */
import type { Scope } from "../../types.ts";
import type { HeldConversation, Port, Reader } from "../port.ts";
import { basisOf } from "../rules/transcript-basis.ts";
import { sealedTable, sealOf } from "../sealed-table.ts";
import { CONVERSATION_ID, type Dialect, statement } from "../statement.ts";
import type { Transcript, TranscriptBasis, TranscriptWrite } from "../store.ts";

type TranscriptState = TranscriptWrite["state"];

export const SEALED_TRANSCRIPTS = sealedTable(
  "conversation_bootstrap_state",
  {
    transcript: "integer",
    session_file_path: "text",
    format: "text",
    previous_transcript: "integer",
    shared_lines: "bigint",
    line_count: "bigint",
    last_seen_size: "bigint",
    last_seen_mtime_ms: "real",
    last_processed_offset: "bigint",
    last_processed_entry_hash: "hash",
    last_processed_entry_size: "bigint",
    reader_version: "integer",
    updated_at: "time",
  },
  "conversation",
  { transcript: 0 },
);

const upsert = (
  d: Dialect,
) => `INSERT INTO conversation_bootstrap_state AS state (${d.ownerColumns}, transcript,
    session_file_path, format, previous_transcript, shared_lines, line_count, last_seen_size, last_seen_mtime_ms,
    last_processed_offset, last_processed_entry_hash, last_processed_entry_size, reader_version, updated_at, seal)
  VALUES (${d.ownerValues}, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
  ON CONFLICT (${d.ownerColumns}, transcript) DO UPDATE SET
    session_file_path = excluded.session_file_path, format = excluded.format,
    previous_transcript = excluded.previous_transcript, shared_lines = excluded.shared_lines,
    line_count = excluded.line_count, last_seen_size = excluded.last_seen_size,
    last_seen_mtime_ms = excluded.last_seen_mtime_ms, last_processed_offset = excluded.last_processed_offset,
    last_processed_entry_hash = excluded.last_processed_entry_hash,
    last_processed_entry_size = excluded.last_processed_entry_size, reader_version = excluded.reader_version,
    updated_at = excluded.updated_at, seal = excluded.seal`;

const WRITE = statement(upsert);
const ADVANCE = statement((d) => `${upsert(d)} WHERE state.line_count < excluded.line_count`);

export function writeState(held: HeldConversation, state: TranscriptState, at: string): void {
  held.send(WRITE, ...stateValues(state, at));
}

/** For loading: of two states of one transcript, the one that was read further wins. */
export function advanceState(held: HeldConversation, state: TranscriptState, at: string): void {
  held.send(ADVANCE, ...stateValues(state, at));
}

function stateValues(state: TranscriptState, at: string) {
  const stored: (string | number | Buffer | null)[] = [
    state.number,
    state.path,
    state.format,
    state.previous,
    state.sharedLines,
    state.lineCount,
    state.size,
    state.modifiedAtMs,
    state.offset,
    state.readHash,
    state.lastLineBytes,
    state.readerVersion,
    at,
  ];
  const names = Object.keys(SEALED_TRANSCRIPTS.columns);
  const row = Object.fromEntries(names.map((name, place) => [name, stored[place]]));
  const bytes = state.readHash === null ? null : Buffer.from(state.readHash, "hex");
  return [...stored.with(names.indexOf("last_processed_entry_hash"), bytes), sealOf(SEALED_TRANSCRIPTS, row)];
}

/** For the states `s` that meet the condition, with the public id of their conversation. */
const select = (d: Dialect, condition: string) =>
  `SELECT c.uid AS conversation, s.transcript AS number, s.session_file_path AS path, s.format,
     s.previous_transcript AS previous, s.shared_lines AS "sharedLines", s.line_count AS "lineCount",
     s.last_processed_offset AS "offset", s.last_seen_size AS size, s.last_seen_mtime_ms AS "modifiedAtMs",
     ${d.hexOrNull("s.last_processed_entry_hash")} AS "readHash", s.last_processed_entry_size AS "lastLineBytes",
     s.reader_version AS "readerVersion", s.updated_at AS "updatedAt"
   FROM conversation_bootstrap_state s
   JOIN conversations c ON c.tenant = $1 AND c.conversation_id = s.conversation_id WHERE ${condition}`;

const READ = statement((d) => `${select(d, d.conversation("s", CONVERSATION_ID))} ORDER BY s.transcript`);

export function readTranscripts(
  reader: Reader,
  { tenant, agent }: Scope,
  conversation: string,
): Promise<Transcript[]> {
  return reader.rows<Transcript>(READ, tenant, agent, conversation);
}

const READ_BASIS = statement((d) =>
  select(
    d,
    `${d.conversation("s", d.held)} AND (s.transcript = $2 OR s.transcript =
       (SELECT max(n.transcript) FROM conversation_bootstrap_state n WHERE ${d.conversation("n", d.held)}))`,
  ),
);

/** The current state of the basis of a planned write, in the conversation that the transaction holds. */
export async function readBasis(
  port: Port,
  { tenant }: Scope,
  planned: TranscriptBasis,
): Promise<TranscriptBasis> {
  const base = planned.base?.number ?? null;
  return basisOf(await port.rows<Transcript>(READ_BASIS, tenant, base), base);
}

const READ_AT = statement(
  (d) =>
    `${select(
      d,
      `${d.sameTenant("s")} AND c.agent = $2 AND s.session_file_path = $3 AND s.transcript =
       (SELECT max(n.transcript) FROM conversation_bootstrap_state n
        WHERE ${d.conversation("n", "s.conversation_id")} AND n.session_file_path = s.session_file_path)`,
    )} ORDER BY s.updated_at, c.uid`,
);

/** The newest version of each transcript that was read from this path. */
export function readTranscriptsAt(
  reader: Reader,
  { tenant, agent }: Scope,
  path: string,
): Promise<Transcript[]> {
  return reader.rows<Transcript>(READ_AT, tenant, agent, path);
}
