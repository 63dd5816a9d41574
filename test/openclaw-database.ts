/** A database of an OpenClaw agent, as version 2026.9.6 makes it, as far as transcripts go. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { HostSdk } from "../plugins/openclaw/types.ts";

const SCHEMA = `
  CREATE TABLE session_nodes (session_key TEXT NOT NULL PRIMARY KEY, current_session_id TEXT NOT NULL) STRICT;
  CREATE TABLE session_windows (session_id TEXT NOT NULL PRIMARY KEY, session_key TEXT NOT NULL,
    created_at INTEGER NOT NULL) STRICT;
  CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT,
    created_at INTEGER NOT NULL, event_zstd BLOB, event_utf8_bytes INTEGER, PRIMARY KEY (session_id, seq)) STRICT;
  CREATE TABLE transcript_rewrite_watermarks (session_id TEXT NOT NULL PRIMARY KEY, generation TEXT NOT NULL,
    updated_at INTEGER NOT NULL) STRICT;
  CREATE TABLE session_transcript_index_state (session_id TEXT NOT NULL PRIMARY KEY, indexed_seq INTEGER NOT NULL,
    needs_rebuild INTEGER NOT NULL DEFAULT 0, updated_at INTEGER NOT NULL) STRICT;
  CREATE TABLE session_transcript_active_events (session_id TEXT NOT NULL, active_position INTEGER NOT NULL,
    event_seq INTEGER NOT NULL, message_position INTEGER, PRIMARY KEY (session_id, active_position)) STRICT;`;

interface Written {
  /** Default true: the turn was accepted, and the entry is on the active path. */
  readonly isActive?: boolean;
  readonly isPacked?: boolean;
}

export class OpenclawAgent {
  readonly #database: DatabaseSync;

  constructor(folder: string, agent = "main") {
    const home = path.join(folder, "agents", agent, "agent");
    mkdirSync(home, { recursive: true });
    this.#database = new DatabaseSync(path.join(home, "openclaw-agent.sqlite"));
    this.#database.exec(`PRAGMA journal_mode = wal; ${SCHEMA}`);
  }

  /** A new session under a key, which leads to it from now on. */
  begin(sessionId: string, sessionKey: string): void {
    const at = this.#number("SELECT count(*) AS found FROM session_windows");
    this.#run("INSERT INTO session_windows VALUES (?, ?, ?)", sessionId, sessionKey, at);
    this.#run("INSERT OR REPLACE INTO session_nodes VALUES (?, ?)", sessionKey, sessionId);
    this.#run("INSERT INTO transcript_rewrite_watermarks VALUES (?, ?, 0)", sessionId, `generation-${at}`);
    this.#run("INSERT INTO session_transcript_index_state VALUES (?, -1, 0, 0)", sessionId);
  }

  /** What OpenClaw writes first into a session that it runs. */
  startIn(sessionId: string, cwd: string): void {
    const timestamp = "2026-11-18T10:00:00.000Z";
    this.#add(sessionId, { type: "session", version: 4, id: sessionId, timestamp, cwd }, {});
  }

  say(sessionId: string, id: string, role: "user" | "assistant", text: string, how: Written = {}): void {
    const timestamp = "2026-11-18T10:00:00.000Z";
    const message = { role, content: [{ type: "text", text }], timestamp: 1_795_000_000_000 };
    const seq = this.#add(sessionId, { type: "message", id, parentId: null, timestamp, message }, how);
    if (how.isActive === false) return;
    const place = this.#number(
      `SELECT count(*) AS found FROM session_transcript_active_events WHERE session_id = '${sessionId}'`,
    );
    this.#run(
      "INSERT INTO session_transcript_active_events VALUES (?, ?, ?, ?)",
      sessionId,
      place,
      seq,
      place,
    );
  }

  /** As `/new` does: the session stays, and the next message begins another conversation. */
  reset(sessionId: string): void {
    this.#add(sessionId, { type: "reset", id: `reset-${Math.random()}` }, {});
  }

  setRebuilding(sessionId: string, isRebuilding: boolean): void {
    this.#run(
      "UPDATE session_transcript_index_state SET needs_rebuild = ? WHERE session_id = ?",
      isRebuilding ? 1 : 0,
      sessionId,
    );
  }

  close(): void {
    this.#database.close();
  }

  /** What OpenClaw lends to plugins. Its cursors are its own, and it answers others with `reset`. */
  get sdk(): HostSdk {
    const read = (sql: string, sessionId: string, cursor: string | undefined) => {
      const after = cursor === undefined ? -1 : Number(/^openclaw:(-?\d+)$/.exec(cursor)?.[1]);
      if (Number.isNaN(after)) return null;
      const rows = this.#database.prepare(sql).all(sessionId, after);
      const last = rows.at(-1)?.place ?? after;
      const events = rows.map(({ json, packed }) =>
        JSON.parse(typeof json === "string" ? json : unpacked(packed)),
      );
      return { kind: "page" as const, cursor: `openclaw:${last}`, hasMore: false, events };
    };
    return {
      buildMemorySystemPromptAddition: () => "",
      readSessionTranscriptVisibleMessageDelta: async ({ sessionId = "", cursor }) => {
        const page = read(VISIBLE, sessionId, cursor);
        if (page === null) return { kind: "reset" };
        const entries = page.events.map(({ id, message, timestamp }) => ({
          ...{ entryId: id, message, createdAt: timestamp },
        }));
        return { ...page, entries };
      },
      readSessionTranscriptRawDelta: async ({ sessionId = "", cursor }) => {
        const page = read(RAW, sessionId, cursor);
        return page === null
          ? { kind: "reset" }
          : { ...page, events: page.events.map((event) => ({ event })) };
      },
    };
  }

  #add(sessionId: string, event: object, { isPacked = false }: Written): number {
    const seq = this.#number(
      `SELECT count(*) AS found FROM transcript_events WHERE session_id = '${sessionId}'`,
    );
    const text = JSON.stringify(event);
    const [json, packed] = isPacked ? [null, zstdCompressSync(text)] : [text, null];
    this.#run(
      "INSERT INTO transcript_events VALUES (?, ?, ?, 0, ?, ?)",
      sessionId,
      seq,
      json,
      packed,
      text.length,
    );
    this.#run(
      "UPDATE session_transcript_index_state SET indexed_seq = ? WHERE session_id = ?",
      seq,
      sessionId,
    );
    return seq;
  }

  #run(sql: string, ...values: readonly (string | number | null | Uint8Array)[]): void {
    this.#database.prepare(sql).run(...values);
  }

  #number(sql: string): number {
    return Number(this.#database.prepare(sql).get()?.found);
  }
}

const RAW = `SELECT seq AS place, event_json AS json, event_zstd AS packed FROM transcript_events
  WHERE session_id = ? AND seq > ? ORDER BY seq`;
const VISIBLE = `SELECT a.message_position AS place, e.event_json AS json, e.event_zstd AS packed
  FROM session_transcript_active_events a JOIN transcript_events e ON e.session_id = a.session_id AND e.seq = a.event_seq
  WHERE a.session_id = ? AND a.message_position > ? ORDER BY a.message_position`;

function unpacked(value: unknown): string {
  return value instanceof Uint8Array ? zstdDecompressSync(value).toString("utf8") : "";
}
