/** What planning needs of the context: tokens, roles, depths and which tool results answer which calls. */
import type { Role, Scope, SummaryQuality } from "../../types.ts";
import type { Page, RangeQuery, ShapeItem } from "../store.ts";
import { ITEM_PAGE, itemPageValues, SUMMARY_OF_ITEM } from "./context-items.ts";
import { PARTS_COLUMN, type PartTuple, toParts } from "./message-parts.ts";
import { DEFAULT_LIMIT, pageOf } from "./rows.ts";
import type { Session } from "./session.ts";

type ShapeRow = {
  ordinal: number;
  seq: number | null;
  token_count: number;
  role: Role | null;
  parts: PartTuple[] | null;
  summary_id: string | null;
  depth: number | null;
  quality: SummaryQuality | null;
};

export async function readContextShape(
  session: Session,
  scope: Scope,
  conversation: string,
  query: RangeQuery,
): Promise<Page<ShapeItem>> {
  const rows = await session.rows<ShapeRow>(
    `SELECT page.ordinal, page.seq, page.token_count, message.role, ${PARTS_COLUMN},
       summary.summary_id, summary.depth, summary.quality
     FROM ${ITEM_PAGE} page
     LEFT JOIN LATERAL (
       SELECT role FROM messages WHERE tenant = page.tenant AND conversation_id = page.conversation_id
         AND seq = page.seq LIMIT 1) message ON true
     ${SUMMARY_OF_ITEM} ORDER BY page.ordinal`,
    ...itemPageValues(scope, conversation, query),
  );
  const page = pageOf(rows, query.limit ?? DEFAULT_LIMIT, (row) => row.ordinal);
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
  const parts = toParts(row.parts);
  const ids = (isCall: boolean) =>
    parts
      .filter((part) => (part.toolStatus === "pending") === isCall)
      .flatMap((part) => part.toolCallId ?? []);
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
