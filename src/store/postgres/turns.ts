import type { Scope } from "../../types.ts";
import type { Page, RangeQuery, StoredTurn } from "../store.ts";
import { CONVERSATION_ID, HELD_CONVERSATION } from "./conversations.ts";
import { byteaArray, bytes, DEFAULT_LIMIT, END } from "./rows.ts";
import type { Session } from "./session.ts";
import type { Transaction } from "./transaction.ts";

type TurnRow = { turn_key: string; keys_digest: string; first_seq: number; message_count: number };

const COLUMNS = "turn_key, encode(keys_digest, 'hex') AS keys_digest, first_seq, message_count";

/** The turn under this key in the conversation that the transaction has locked. */
export async function findTurn(
  transaction: Transaction,
  scope: Scope,
  key: string | null,
): Promise<StoredTurn | undefined> {
  if (key === null) return undefined;
  const row = await transaction.one<TurnRow>(
    `SELECT ${COLUMNS} FROM turns WHERE tenant = $1 AND conversation_id = ${HELD_CONVERSATION} AND turn_key = $2`,
    scope.tenant,
    key,
  );
  return row === undefined ? undefined : toTurn(row);
}

export function insertTurns(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  turns: readonly StoredTurn[],
): void {
  if (turns.length === 0) return;
  transaction.send(
    `INSERT INTO turns (tenant, conversation_id, turn_key, keys_digest, first_seq, message_count)
     SELECT $1::text, $2::bigint, * FROM unnest($3::text[], $4::bytea[], $5::bigint[], $6::integer[])
     ON CONFLICT DO NOTHING`,
    scope.tenant,
    conversationId,
    turns.map((turn) => turn.key),
    byteaArray(turns.map((turn) => bytes(turn.keysDigest))),
    turns.map((turn) => turn.firstSeq),
    turns.map((turn) => turn.messageCount),
  );
}

/** A page ends between two first seqs, never among the turns that share one. */
export async function readTurns(
  session: Session | Transaction,
  scope: Scope,
  conversation: string,
  query: RangeQuery,
): Promise<Page<StoredTurn>> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows = await session.rows<TurnRow>(
    `SELECT * FROM (
       SELECT ${COLUMNS} FROM turns WHERE tenant = $1 AND conversation_id = ${CONVERSATION_ID}
         AND first_seq BETWEEN $4 AND $5
       ORDER BY first_seq FETCH FIRST ($6::bigint + 1) ROWS WITH TIES) found
     ORDER BY first_seq, turn_key COLLATE "C"`,
    scope.tenant,
    scope.agent,
    conversation,
    query.from ?? 0,
    query.to ?? END,
    limit,
  );
  const last = rows[limit - 1]?.first_seq ?? END;
  const following = rows.find((row) => row.first_seq > last);
  return {
    rows: rows.filter((row) => row.first_seq <= last).map(toTurn),
    next: following?.first_seq ?? null,
  };
}

function toTurn(row: TurnRow): StoredTurn {
  return {
    key: row.turn_key,
    keysDigest: row.keys_digest,
    firstSeq: row.first_seq,
    messageCount: row.message_count,
  };
}
