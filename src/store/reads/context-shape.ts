/** The data about the context that planning needs: tokens, roles, depths and which tool results answer which calls. */
import type { Role, Scope, SummaryQuality, ToolStatus } from "../../types.ts";
import type { Reader } from "../port.ts";
import { CONVERSATION_ID, statement } from "../statement.ts";
import type { Page, RangeQuery, ShapeItem } from "../store.ts";
import { DEFAULT_LIMIT, END, pageOf } from "../tables/pages.ts";

type ShapeRow = {
  ordinal: number;
  seq: number | null;
  token_count: number;
  role: Role | null;
  /** JSON: id and status of each tool call or result. */
  calls: string;
  summary_id: string | null;
  depth: number | null;
  quality: SummaryQuality | null;
};

const READ = statement(
  (d) => `SELECT c.ordinal, ${d.seq("c")} AS seq, c.token_count, m.role, s.summary_id, s.depth, s.quality,
      ${d.jsonRows(
        "p.tool_call_id, p.tool_status",
        `message_parts p WHERE ${d.sameMessage("p", "c")} AND p.tool_call_id IS NOT NULL`,
        "p.ordinal",
      )} AS calls
    FROM (
      SELECT * FROM context_items n WHERE ${d.conversation("n", CONVERSATION_ID)} AND n.ordinal BETWEEN $4 AND $5
      ORDER BY n.ordinal LIMIT $6) c
    ${d.maybe("messages", "m", d.sameMessage("m", "c"))}
    ${d.maybe("summaries", "s", `${d.conversation("s", "c.conversation_id")} AND s.summary_number = c.summary_number`)}
    ORDER BY c.ordinal`,
);

export async function readContextShape(
  reader: Reader,
  { tenant, agent }: Scope,
  conversation: string,
  { from = 0, to = END, limit = DEFAULT_LIMIT }: RangeQuery,
): Promise<Page<ShapeItem>> {
  const rows = await reader.rows<ShapeRow>(READ, tenant, agent, conversation, from, to, limit + 1);
  const page = pageOf(rows, limit, (row) => row.ordinal);
  return { rows: page.rows.map(toShape), next: page.next };
}

function toShape(row: ShapeRow): ShapeItem {
  const { ordinal, seq, token_count: tokenCount } = row;
  if (seq === null)
    return {
      ordinal,
      type: "summary",
      summary: row.summary_id ?? "",
      tokenCount,
      depth: row.depth ?? 0,
      quality: row.quality ?? "normal",
    };
  const calls = JSON.parse(row.calls) as readonly [id: string, status: ToolStatus | null][];
  const ids = (isCall: boolean) =>
    calls.filter(([, status]) => (status === "pending") === isCall).map(([id]) => id);
  return {
    ordinal,
    type: "message",
    seq,
    tokenCount,
    role: row.role ?? "user",
    toolCalls: ids(true),
    toolResults: ids(false),
  };
}
