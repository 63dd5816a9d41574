/**
 * Reads transcripts from the database of an OpenClaw agent, which belongs to OpenClaw: it is opened read-only. The active
 * path is the one that OpenClaw stores in its own table. A session is read only while that table is up to date.
 */
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { zstdDecompressSync } from "node:zlib";
import { messageOf, PalimpsestError } from "../../errors.ts";
import type { OpenclawDatabase, OpenclawEvent, OpenclawSession } from "../openclaw-database.ts";
import { isBusy } from "./sqlite-errors.ts";

type Row = Record<string, SQLOutputValue>;

const BUSY_TIMEOUT_MS = 5_000;
const PAGE = 500;
const SESSIONS = `
  SELECT w.session_id, w.session_key, n.current_session_id, m.generation, i.indexed_seq, i.needs_rebuild,
         (SELECT max(seq) FROM transcript_events e WHERE e.session_id = w.session_id) AS last_seq
    FROM session_windows w
    LEFT JOIN session_nodes n ON n.session_key = w.session_key
    LEFT JOIN transcript_rewrite_watermarks m ON m.session_id = w.session_id
    LEFT JOIN session_transcript_index_state i ON i.session_id = w.session_id
   ORDER BY w.created_at, w.session_id`;
const RAW = `
  SELECT seq AS place, event_json, event_zstd FROM transcript_events
   WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ${PAGE + 1}`;
const FIRST = `
  SELECT seq AS place, event_json, event_zstd FROM transcript_events WHERE session_id = ? ORDER BY seq LIMIT 1`;
const VISIBLE = `
  SELECT a.message_position AS place, e.event_json, e.event_zstd
    FROM session_transcript_active_events a
    JOIN transcript_events e ON e.session_id = a.session_id AND e.seq = a.event_seq
   WHERE a.session_id = ? AND a.message_position > ? ORDER BY a.message_position LIMIT ${PAGE + 1}`;

export function openOpenclaw(file: string): OpenclawDatabase {
  const database = attempt(file, () => new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS }));
  const all = (sql: string, ...values: readonly (string | number)[]) =>
    attempt(file, () => database.prepare(sql).all(...values));
  const page = (sql: string) => (sessionId: string, after: number) => {
    const rows = all(sql, sessionId, after);
    const events = rows.slice(0, PAGE).map((row) => attempt(file, () => toEvent(row)));
    return { events, hasMore: rows.length > PAGE };
  };
  return {
    sessions: () => all(SESSIONS).map(toSession),
    snapshot: async (run) => {
      attempt(file, () => database.exec("BEGIN"));
      try {
        return await run();
      } finally {
        database.exec("COMMIT");
      }
    },
    folder: (sessionId) => {
      const [header] = all(FIRST, sessionId).map((row) => attempt(file, () => toEvent(row)));
      const { type, cwd } = header?.event ?? {};
      return type === "session" && typeof cwd === "string" && cwd !== "" ? cwd : undefined;
    },
    raw: page(RAW),
    visible: page(VISIBLE),
    close: () => database.close(),
  };
}

function toSession(row: Row): OpenclawSession {
  const { session_id: id, session_key: key, current_session_id: current, generation, last_seq: last } = row;
  const isCurrent = current === null || current === id;
  const isReadable = generation !== null && row.needs_rebuild === 0 && row.indexed_seq === last;
  return {
    ...{ sessionId: String(id), sessionKey: String(key), isCurrent, isReadable },
    isEmpty: last === null,
    generation: String(generation),
    state: `${generation} ${last}`,
  };
}

function toEvent({ place, event_json: json, event_zstd: packed }: Row): OpenclawEvent {
  const text = packed instanceof Uint8Array ? zstdDecompressSync(packed).toString("utf8") : String(json);
  return { place: Number(place), event: Object(JSON.parse(text)) };
}

function attempt<Value>(file: string, run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    throw new PalimpsestError(
      "invalid-input",
      `${file} cannot be read as a database of OpenClaw 2026.9: ${messageOf(error)}`,
      {
        advice: "Install the plugin for OpenClaw, which reads transcripts through OpenClaw itself.",
        isRetryable: isBusy(error),
        cause: error,
      },
    );
  }
}
