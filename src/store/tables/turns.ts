/** Turns that were committed under a key. */
import { PalimpsestError } from "../../errors.ts";
import type { Scope } from "../../types.ts";
import { insertInto } from "../insert.ts";
import type { HeldConversation, Port, Reader } from "../port.ts";
import { FORGOTTEN_KEYS } from "../rules/replay-turn.ts";
import { sealedTable } from "../sealed-table.ts";
import { CONVERSATION_ID, type Dialect, statement } from "../statement.ts";
import type { Page, RangeQuery, StoredTurn } from "../store.ts";
import { firstSalt } from "./erased-keys.ts";
import { DEFAULT_LIMIT, END } from "./pages.ts";

type TurnRow = { turn_key: string; keys_digest: string; first_seq: number; message_count: number };
type FoundRow = (TurnRow | { turn_key: null }) & { salt: string | null };

const columns = (d: Dialect) =>
  `t.turn_key, ${d.hex("t.keys_digest")} AS keys_digest, t.first_seq, t.message_count`;

const FIND = statement(
  (d) => `SELECT ${firstSalt("$1", "$3")} AS salt, ${columns(d)} FROM (SELECT 1) AS asked
    ${d.maybe("turns", "t", `${d.conversation("t", d.held)} AND t.turn_key = $2`)}`,
);

/**
 * The turn under this key in the conversation that the transaction holds, and the first salt of erased entries in the scope:
 * every commit needs both, so one statement reads them.
 */
export async function findTurn(
  port: Port,
  { tenant, agent }: Scope,
  key: string | null,
): Promise<{ readonly turn: StoredTurn | undefined; readonly salt: string | null }> {
  const row = await port.one<FoundRow>(FIND, tenant, key, agent);
  if (row === undefined)
    throw new PalimpsestError("internal", "a statement that always gives a row gave none");
  return { turn: row.turn_key === null ? undefined : toTurn(row), salt: row.salt };
}

export const SEALED_TURNS = sealedTable(
  "turns",
  { turn_key: "text", keys_digest: "hash", first_seq: "bigint", message_count: "integer" },
  "conversation",
  { turn_key: "" },
);
const INSERT = insertInto("turns", SEALED_TURNS.columns, {
  sealed: SEALED_TURNS,
  onConflict: () => "ON CONFLICT DO NOTHING",
});

export function insertTurns(held: HeldConversation, turns: readonly StoredTurn[]): void {
  held.insert(
    INSERT,
    turns.map(({ key, keysDigest, firstSeq, messageCount }) => ({
      turn_key: key,
      keys_digest: keysDigest,
      first_seq: firstSeq,
      message_count: messageCount,
    })),
  );
}

const FORGET = statement(
  (d) => `UPDATE turns SET keys_digest = ${d.bytes(FORGOTTEN_KEYS)}, seal = NULL,
      turn_key = CASE WHEN substr(turn_key, 1, 5) = 'file:' THEN 'erased:' || first_seq ELSE turn_key END
    WHERE ${d.conversation("turns")} AND ${d.isListed("first_seq", "$3", "bigint")}`,
);

/** For turns whose keys contain the name or the hash of an attached file: both are erased. */
export function forgetTurnKeys(held: HeldConversation, firstSeqs: readonly number[]): void {
  if (firstSeqs.length > 0) held.send(FORGET, firstSeqs);
}

/** One row more than the page, and all with the same first seq as the row before it. */
const READ = statement(
  (d) => `SELECT ${columns(d)} FROM turns t
    WHERE ${d.conversation("t", CONVERSATION_ID)} AND t.first_seq BETWEEN $4 AND coalesce((
      SELECT n.first_seq FROM turns n
      WHERE ${d.conversation("n", CONVERSATION_ID)} AND n.first_seq BETWEEN $4 AND $5
      ORDER BY n.first_seq LIMIT 1 OFFSET $6), $5)
    ORDER BY t.first_seq, t.turn_key`,
);

/** A page ends between two first seqs, never between turns with the same one. */
export async function readTurns(
  reader: Reader,
  { tenant, agent }: Scope,
  conversation: string,
  { from = 0, to = END, limit = DEFAULT_LIMIT }: RangeQuery,
): Promise<Page<StoredTurn>> {
  const rows = await reader.rows<TurnRow>(READ, tenant, agent, conversation, from, to, limit);
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
