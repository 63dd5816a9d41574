/** Public ids of conversations, summaries and files that start with a text: for short ids and completion. */
import type { Scope } from "../../types.ts";
import type { Reader } from "../port.ts";
import { statement } from "../statement.ts";

const MOST_IDS = 100;

const BEGINNING = statement(
  (d) => `SELECT id FROM (
      SELECT c.uid AS id, c.updated_at AS at FROM conversations c WHERE c.tenant = $1 AND c.agent = $2
      UNION ALL SELECT s.summary_id, c.updated_at FROM summaries s
        JOIN conversations c ON c.tenant = $1 AND c.agent = $2 AND c.conversation_id = s.conversation_id
        WHERE ${d.sameTenant("s")}
      UNION ALL SELECT f.file_id, c.updated_at FROM large_files f
        JOIN conversations c ON c.tenant = $1 AND c.agent = $2 AND c.conversation_id = f.conversation_id
        WHERE ${d.sameTenant("f")}) named
    WHERE substr(id, 1, length($3)) = $3 ORDER BY at DESC, id LIMIT ${MOST_IDS}`,
);

export async function readIdsBeginning(
  reader: Reader,
  { tenant, agent }: Scope,
  beginning: string,
): Promise<string[]> {
  const rows = await reader.rows<{ id: string }>(BEGINNING, tenant, agent, beginning);
  return rows.map(({ id }) => id);
}
