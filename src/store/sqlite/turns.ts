import type { Page, RangeQuery, StoredTurn } from "../store.ts";
import type { Database } from "./database.ts";
import { bytes, DEFAULT_LIMIT, END, hex } from "./rows.ts";

type TurnRow = { turn_key: string; keys_digest: Uint8Array; first_seq: number; message_count: number };

export function findTurn(database: Database, conversationId: number, key: string): StoredTurn | undefined {
  const row = database.one<TurnRow>(
    `SELECT turn_key, keys_digest, first_seq, message_count FROM turns
     WHERE conversation_id = ? AND turn_key = ?`,
    conversationId,
    key,
  );
  return row === undefined ? undefined : toTurn(row);
}

export function insertTurn(database: Database, conversationId: number, turn: StoredTurn): void {
  database.run(
    `INSERT INTO turns (conversation_id, turn_key, keys_digest, first_seq, message_count) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
    conversationId,
    turn.key,
    bytes(turn.keysDigest),
    turn.firstSeq,
    turn.messageCount,
  );
}

/** A page ends between two first seqs, never among the turns that share one. */
export function readTurns(database: Database, conversationId: number, query: RangeQuery): Page<StoredTurn> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const turns: StoredTurn[] = [];
  for (const row of selectTurns(database, conversationId, query)) {
    if (turns.length >= limit && row.first_seq !== turns.at(-1)?.firstSeq)
      return { rows: turns, next: row.first_seq };
    turns.push(toTurn(row));
  }
  return { rows: turns, next: null };
}

function selectTurns(
  database: Database,
  conversationId: number,
  query: RangeQuery,
): IterableIterator<TurnRow> {
  return database.iterate<TurnRow>(
    `SELECT turn_key, keys_digest, first_seq, message_count FROM turns
     WHERE conversation_id = ? AND first_seq BETWEEN ? AND ? ORDER BY first_seq, turn_key`,
    conversationId,
    query.from ?? 0,
    query.to ?? END,
  );
}

function toTurn(row: TurnRow): StoredTurn {
  return {
    key: row.turn_key,
    keysDigest: hex(row.keys_digest),
    firstSeq: row.first_seq,
    messageCount: row.message_count,
  };
}
