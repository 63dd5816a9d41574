/** After a load: what was erased here must not have come back in what was made from it elsewhere. */
import type { Transaction } from "../transaction.ts";
import { eraseWithMade } from "./erase-memories.ts";
import { MADE_FROM } from "./require-untouched.ts";

/** Messages that are erased here, as runs of a source or a decision may name them. */
function holdsErased(row: string): string {
  return `EXISTS (SELECT FROM conversations c JOIN context_exclusions x USING (tenant, conversation_id)
    WHERE c.tenant = $1 AND c.uid = ${row}.conversation_uid AND x.reason = 'erased'
      AND x.seq BETWEEN coalesce(${row}.first_seq, 0) AND coalesce(${row}.last_seq, x.seq))`;
}

/** With the time that it changed last, since nothing here says when it came to be erased. */
const RETOLD = `
  SELECT m.uid, m.updated_at FROM memory_relations r
    JOIN memories target ON target.tenant = r.tenant AND target.uid = r.target_uid AND target.erased_at IS NOT NULL
    JOIN memories m ON m.tenant = r.tenant AND m.scope = r.scope AND m.number = r.number
  WHERE r.tenant = $1 AND r.relation_type IN ${MADE_FROM} AND m.erased_at IS NULL
  UNION SELECT m.uid, m.updated_at FROM memory_sources s JOIN memories m USING (tenant, scope, number)
  WHERE s.tenant = $1 AND s.kind = 'origin' AND m.erased_at IS NULL AND ${holdsErased("s")}`;

export async function forgetErased(transaction: Transaction, tenant: string): Promise<void> {
  const rows = await transaction.rows<{ uid: string; updated_at: string }>(RETOLD, tenant);
  for (const [at, own] of Map.groupBy(rows, (row) => row.updated_at))
    await eraseWithMade(
      transaction,
      tenant,
      own.map(({ uid }) => uid),
      at,
    );
  transaction.send(
    `DELETE FROM memory_decisions d WHERE d.tenant = $1 AND (${holdsErased("d")} OR EXISTS (
       SELECT FROM memories m WHERE m.tenant = $1 AND m.uid = d.memory_uid AND m.erased_at IS NOT NULL))`,
    tenant,
  );
}
