/** What a model saw before it produced a turn: ids and hashes as JSON, never content. */
import type { Scope } from "../../types.ts";
import { insertInto } from "../insert.ts";
import type { HeldConversation, Reader } from "../port.ts";
import { sealedTable } from "../sealed-table.ts";
import { CONVERSATION_ID, statement } from "../statement.ts";
import type { Page, RangeQuery, StoredReceipt } from "../store.ts";
import { DEFAULT_LIMIT, END, pageOf } from "./pages.ts";

export const SEALED_RECEIPTS = sealedTable(
  "assembly_receipts",
  { first_seq: "bigint", at: "time", content: "text" },
  "conversation",
  { first_seq: 0 },
);
const INSERT = insertInto("assembly_receipts", SEALED_RECEIPTS.columns, {
  sealed: SEALED_RECEIPTS,
  onConflict: () => "ON CONFLICT DO NOTHING",
});

export function insertReceipts(held: HeldConversation, receipts: readonly StoredReceipt[]): void {
  held.insert(
    INSERT,
    receipts.map(({ firstSeq, at, content }) => ({ first_seq: firstSeq, at, content })),
  );
}

const DROP_AFTER = statement(
  (d) => `DELETE FROM assembly_receipts WHERE ${d.conversation("assembly_receipts")} AND first_seq > $3`,
);

/** Deletes the receipts of turns after this message: their hashes may cover it. Returns how many there were. */
export function dropReceiptsAfter(held: HeldConversation, seq: number): Promise<number> {
  return held.run(DROP_AFTER, seq);
}

const READ = statement(
  (d) => `SELECT first_seq AS "firstSeq", at, content FROM assembly_receipts r
    WHERE ${d.conversation("r", CONVERSATION_ID)} AND first_seq BETWEEN $4 AND $5 ORDER BY first_seq LIMIT $6`,
);

export async function readReceipts(
  reader: Reader,
  { tenant, agent }: Scope,
  conversation: string,
  { from = 0, to = END, limit = DEFAULT_LIMIT }: RangeQuery,
): Promise<Page<StoredReceipt>> {
  const rows = await reader.rows<StoredReceipt>(READ, tenant, agent, conversation, from, to, limit + 1);
  return pageOf(rows, limit, (row) => row.firstSeq);
}
