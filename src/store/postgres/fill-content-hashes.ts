/** Gives summaries of an older version the hash of their text. One that cannot be read gets none: `verify` names it. */
import { hashOriginal } from "../content-encoding.ts";
import { byteaArray } from "./rows.ts";
import type { Transaction } from "./transaction.ts";

const BATCH = 1_000;

type Place = { tenant: string; conversation_id: number; summary_number: number };
type Row = Place & { encoding: string; content: Buffer | null };

export async function fillContentHashes(transaction: Transaction): Promise<void> {
  for (let last: Place = { tenant: "", conversation_id: 0, summary_number: 0 }; ; ) {
    const rows = await transaction.rows<Row>(
      `SELECT tenant, conversation_id, summary_number, encoding, content FROM summaries
       WHERE (tenant, conversation_id, summary_number) > ($1, $2, $3)
       ORDER BY tenant, conversation_id, summary_number LIMIT $4`,
      last.tenant,
      last.conversation_id,
      last.summary_number,
      BATCH,
    );
    const end = rows.at(-1);
    if (end === undefined) return;
    await transaction.rows(
      `UPDATE summaries s SET content_hash = f.hash
       FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bytea[]) AS f(tenant, conversation, number, hash)
       WHERE s.tenant = f.tenant AND s.conversation_id = f.conversation AND s.summary_number = f.number`,
      rows.map(({ tenant }) => tenant),
      rows.map(({ conversation_id }) => conversation_id),
      rows.map(({ summary_number }) => summary_number),
      byteaArray(rows.map(({ encoding, content }) => hashOriginal(encoding, content))),
    );
    last = end;
  }
}
