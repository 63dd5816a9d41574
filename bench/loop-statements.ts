/** The statements of the hand-written loop, as the SQLite store sends them. */
import type { DatabaseSync } from "node:sqlite";

export type LoopStatements = ReturnType<typeof prepareStatements>;

export function prepareStatements(database: DatabaseSync) {
  return {
    findConversation: database.prepare(
      `SELECT * FROM conversations WHERE tenant = 'default' AND agent = 'default'
         AND coalesce(session_key, session_id) = ? AND archived_at IS NULL`,
    ),
    insertConversation: database.prepare(
      `INSERT INTO conversations (uid, tenant, agent, session_id, created_at, updated_at)
       VALUES (?, 'default', 'default', ?, ?, ?)`,
    ),
    updateConversation: database.prepare(
      `UPDATE conversations SET last_seq = ?, token_count = ?, head_hash = ?, updated_at = ?
       WHERE conversation_id = ?`,
    ),
    insertMessage: database.prepare(
      `INSERT INTO messages (message_id, conversation_id, seq, message_key, role, format, encoding, content,
         token_count, created_at, salt, digest, hash)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (conversation_id, message_key) DO NOTHING`,
    ),
    insertPart: database.prepare(
      `INSERT INTO message_parts (message_id, ordinal, part_type, tool_call_id, tool_name, tool_status)
       VALUES (?, ?, ?, ?, ?, ?)`,
    ),
    insertContextItem: database.prepare(
      `INSERT OR REPLACE INTO context_items (conversation_id, ordinal, item_type, message_id, token_count)
       VALUES (?, ?, 'message', ?, ?)`,
    ),
    findTurn: database.prepare(
      `SELECT turn_key, keys_digest, first_seq, message_count FROM turns
       WHERE conversation_id = ? AND turn_key = ?`,
    ),
    insertTurn: database.prepare(
      `INSERT INTO turns (conversation_id, turn_key, keys_digest, first_seq, message_count)
       VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    ),
    insertState: database.prepare(
      `INSERT OR REPLACE INTO conversation_bootstrap_state (conversation_id, transcript, session_file_path,
         format, shared_lines, line_count, last_seen_size, last_seen_mtime_ms, last_processed_offset,
         last_processed_entry_hash, last_processed_entry_size, reader_version, updated_at)
       VALUES (?, 1, ?, 'pi', 0, ?, ?, ?, ?, ?, ?, 1, ?)`,
    ),
    insertLine: database.prepare(
      `INSERT OR REPLACE INTO transcript_lines (conversation_id, transcript, line, kind, message_id, entry_key,
         parent_key, lane, line_hash, encoding, content)
       VALUES (?, 1, ?, ?, ?, ?, ?, 'main', ?, ?, ?)`,
    ),
  };
}
