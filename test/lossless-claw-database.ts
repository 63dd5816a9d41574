/** A database as lossless-claw writes it, with invented words, and its large files beside it. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";

const SCHEMA = `
  CREATE TABLE conversations (conversation_id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, session_key TEXT,
    active INTEGER NOT NULL DEFAULT 1, archived_at TEXT, title TEXT, bootstrapped_at TEXT,
    created_at TEXT NOT NULL DEFAULT (datetime('now')), updated_at TEXT NOT NULL DEFAULT (datetime('now')));
  CREATE TABLE messages (message_id INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation_id INTEGER NOT NULL REFERENCES conversations(conversation_id) ON DELETE CASCADE, seq INTEGER NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('system','user','assistant','tool')), content TEXT NOT NULL,
    token_count INTEGER NOT NULL, created_at TEXT NOT NULL DEFAULT (datetime('now')), UNIQUE (conversation_id, seq));
  CREATE TABLE summaries (summary_id TEXT PRIMARY KEY,
    conversation_id INTEGER NOT NULL REFERENCES conversations(conversation_id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('leaf','condensed')), depth INTEGER NOT NULL DEFAULT 0, content TEXT NOT NULL,
    token_count INTEGER NOT NULL, earliest_at TEXT, latest_at TEXT, descendant_count INTEGER NOT NULL DEFAULT 0,
    descendant_token_count INTEGER NOT NULL DEFAULT 0, source_message_token_count INTEGER NOT NULL DEFAULT 0,
    model TEXT, created_at TEXT NOT NULL DEFAULT (datetime('now')), file_ids TEXT NOT NULL DEFAULT '[]');
  CREATE TABLE message_parts (part_id TEXT PRIMARY KEY,
    message_id INTEGER NOT NULL REFERENCES messages(message_id) ON DELETE CASCADE, session_id TEXT NOT NULL,
    part_type TEXT NOT NULL, ordinal INTEGER NOT NULL, text_content TEXT, is_ignored INTEGER, is_synthetic INTEGER,
    tool_call_id TEXT, tool_name TEXT, tool_status TEXT, tool_input TEXT, tool_output TEXT, tool_error TEXT,
    tool_title TEXT, patch_hash TEXT, patch_files TEXT, file_mime TEXT, file_name TEXT, file_url TEXT,
    subtask_prompt TEXT, subtask_desc TEXT, subtask_agent TEXT, step_reason TEXT, step_cost REAL,
    step_tokens_in INTEGER, step_tokens_out INTEGER, snapshot_hash TEXT, metadata TEXT);
  CREATE TABLE summary_messages (summary_id TEXT NOT NULL, message_id INTEGER NOT NULL, ordinal INTEGER NOT NULL,
    PRIMARY KEY (summary_id, message_id));
  CREATE TABLE summary_parents (summary_id TEXT NOT NULL, parent_summary_id TEXT NOT NULL, ordinal INTEGER NOT NULL,
    PRIMARY KEY (summary_id, parent_summary_id));
  CREATE TABLE context_items (conversation_id INTEGER NOT NULL, ordinal INTEGER NOT NULL,
    item_type TEXT NOT NULL CHECK (item_type IN ('message','summary')), message_id INTEGER, summary_id TEXT,
    created_at TEXT NOT NULL DEFAULT (datetime('now')), PRIMARY KEY (conversation_id, ordinal));
  CREATE TABLE large_files (file_id TEXT PRIMARY KEY, conversation_id INTEGER NOT NULL, file_name TEXT, mime_type TEXT,
    byte_size INTEGER, storage_uri TEXT NOT NULL, exploration_summary TEXT,
    created_at TEXT NOT NULL DEFAULT (datetime('now')));`;

export const LEAVES = ["sum_00000000000000a1", "sum_00000000000000a2"] as const;
export const CONDENSED = "sum_00000000000000b1";
export const REPORT_ID = "file_00000000000000f1";
export const IMAGE_ID = "file_00000000000000f4";
export const IMAGE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]);
export const REPORT = "station,millibar\n".concat("north,1013\n".repeat(400));

type Values = readonly (string | number | null)[];

export class LosslessClawDatabase {
  readonly file: string;
  readonly #database: DatabaseSync;

  constructor(folder: string) {
    this.file = path.join(folder, "lcm.db");
    this.#database = new DatabaseSync(this.file);
    this.#database.exec("PRAGMA foreign_keys = OFF");
    this.#database.exec(SCHEMA);
  }

  run(sql: string, ...values: Values): void {
    this.#database.prepare(sql).run(...values);
  }

  conversation(id: number, session: string, active = 1): void {
    this.run(
      "INSERT INTO conversations (conversation_id, session_id, session_key, active, title) VALUES (?, ?, ?, ?, ?)",
      ...[id, session, "agent:main:main", active, "Weather stations"],
    );
  }

  message(id: number, seq: number, role: string, content: string, conversation = 1): void {
    const at = `2026-02-01 09:00:${String(seq).padStart(2, "0")}`;
    this.run(
      `INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count, created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?)`,
      ...[id, conversation, seq, role, content, 10, at],
    );
  }

  part(message: number, ordinal: number, type: string, columns: Readonly<Record<string, string>>): void {
    const names = Object.keys(columns);
    this.run(
      `INSERT INTO message_parts (part_id, message_id, session_id, part_type, ordinal${names.map((name) => `, ${name}`).join("")})
        VALUES (?, ?, 's', ?, ?${", ?".repeat(names.length)})`,
      ...[`part-${message}-${ordinal}`, message, type, ordinal, ...Object.values(columns)],
    );
  }

  leaf(id: string, content: string, messages: readonly number[]): void {
    this.#summary(id, "leaf", 0, content);
    for (const [ordinal, message] of messages.entries())
      this.run("INSERT INTO summary_messages VALUES (?, ?, ?)", id, message, ordinal);
  }

  /** `summary_parents` says what it was made from. */
  condensed(id: string, depth: number, content: string, from: readonly string[]): void {
    this.#summary(id, "condensed", depth, content);
    for (const [ordinal, source] of from.entries())
      this.run("INSERT INTO summary_parents VALUES (?, ?, ?)", id, source, ordinal);
  }

  #summary(id: string, kind: string, depth: number, content: string): void {
    this.run(
      `INSERT INTO summaries (summary_id, conversation_id, kind, depth, content, token_count, model, created_at)
        VALUES (?, 1, ?, ?, ?, 8, 'sample/model', '2026-02-01 10:00:00')`,
      ...[id, kind, depth, content],
    );
  }

  shows(...items: readonly (number | string)[]): void {
    this.run("DELETE FROM context_items WHERE conversation_id = 1");
    for (const [ordinal, item] of items.entries())
      this.run(
        "INSERT INTO context_items (conversation_id, ordinal, item_type, message_id, summary_id) VALUES (1, ?, ?, ?, ?)",
        ...(typeof item === "number" ? [ordinal, "message", item, null] : [ordinal, "summary", null, item]),
      );
  }

  largeFile(id: string, place: string, name = "report.csv", mime = "text/csv"): void {
    this.run(
      `INSERT INTO large_files (file_id, conversation_id, file_name, mime_type, byte_size, storage_uri, exploration_summary)
        VALUES (?, 1, ?, ?, ?, ?, 'What is in it.')`,
      ...[id, name, mime, REPORT.length, place],
    );
  }

  close(): void {
    this.#database.close();
  }
}

/** Eight messages: four under two leaves under a condensed summary, one with a large file, and a conversation that was reset. */
export function writeLosslessClaw(folder: string): LosslessClawDatabase {
  const database = new LosslessClawDatabase(folder);
  database.conversation(1, "11111111-0000-4000-8000-000000000001");
  database.message(1, 1, "user", "The vault code is heron-4471.");
  database.message(2, 2, "assistant", "Noted.\n[tool]");
  database.part(2, 0, "reasoning", { text_content: "A code. I keep it." });
  database.part(2, 1, "text", { text_content: "Noted." });
  database.part(2, 2, "tool", {
    tool_call_id: "call_1",
    tool_name: "read",
    tool_input: '{"path":"door.txt"}',
  });
  database.message(3, 3, "tool", "The door is green.");
  database.part(3, 0, "tool", {
    tool_call_id: "call_1",
    tool_name: "read",
    tool_output: "The door is green.",
  });
  database.message(4, 4, "assistant", "The door is green.");
  database.message(
    5,
    5,
    "user",
    `Read this. [LCM File: ${REPORT_ID} | report.csv] [LCM File: ${IMAGE_ID} | map.png]`,
  );
  database.message(6, 6, "assistant", "Four hundred readings.");
  database.message(7, 7, "user", "Thank you.");
  database.message(8, 8, "assistant", "Any time.");
  database.leaf(LEAVES[0], "A vault code was given.", [1, 2]);
  database.leaf(LEAVES[1], "The door was read: green.", [3, 4]);
  database.condensed(CONDENSED, 1, `Vault and door. See ${LEAVES[0]}.`, LEAVES);
  database.shows(CONDENSED, 5, 6, 7, 8);
  const files = path.join(folder, "lcm-files", "1");
  mkdirSync(files, { recursive: true });
  writeFileSync(path.join(files, `${REPORT_ID}.csv`), REPORT);
  database.largeFile(REPORT_ID, path.join(files, `${REPORT_ID}.csv`));
  writeFileSync(path.join(files, `${IMAGE_ID}.png`), IMAGE);
  // It was moved together with its database.
  database.largeFile(IMAGE_ID, `/elsewhere/${IMAGE_ID}.png`, "map.png", "image/png");
  database.conversation(2, "22222222-0000-4000-8000-000000000002", 0);
  database.message(20, 1, "user", "An older talk about owls.", 2);
  return database;
}
