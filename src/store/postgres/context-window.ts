/**
 * The newest items of the context that fit, with their content: one statement, so all of one moment and one
 * round trip, that reads nothing which does not fit.
 */
import type { Scope } from "../../types.ts";
import { type ContextWindow, ORDINAL_GAP, type WindowItem, type WindowQuery } from "../store.ts";
import { CONTENT_COLUMNS, joinSlices, SLICES } from "./content.ts";
import { MESSAGE_COLUMNS, type MessageRow, toMessage } from "./messages.ts";
import { SUMMARY_COLUMNS, type SummaryRow, toSummary } from "./read-summaries.ts";
import { END } from "./rows.ts";
import type { Session } from "./session.ts";

/** How many items one step of the walk takes. At most so many are looked at in vain, without their content. */
const STEP = 64;

const CONVERSATION = "(SELECT conversation_id FROM conversation)";

/** Steps back from the end of the context until the budget $4 is used up; the newest item comes in any case. */
const WALK = `walk AS (
    SELECT ${END}::bigint AS ordinal, NULL::bigint AS seq, NULL::bigint AS summary_number, 0 AS token_count,
      0::bigint AS tokens, 0::bigint AS position
  UNION ALL
    SELECT step.* FROM walk CROSS JOIN LATERAL (
      SELECT ordinal, seq, summary_number, token_count, walk.tokens + sum(token_count) OVER newest_first,
        walk.position + row_number() OVER newest_first
      FROM (
        SELECT * FROM context_items
        WHERE tenant = $1 AND conversation_id = ${CONVERSATION} AND ordinal < walk.ordinal
        ORDER BY ordinal DESC LIMIT ${STEP}) items
      WINDOW newest_first AS (ORDER BY ordinal DESC)) step
    WHERE walk.position % ${STEP} = 0 AND walk.tokens <= $4::bigint)`;

/** Messages of a role that stand in the context as themselves. */
function messagesOf(role: "system" | "user"): string {
  return `SELECT item.ordinal, m.seq, item.token_count FROM messages m CROSS JOIN LATERAL (
      SELECT ordinal, token_count FROM context_items
      WHERE tenant = $1 AND conversation_id = m.conversation_id AND ordinal = m.seq * ${ORDINAL_GAP}
        AND item_type = 'message' LIMIT 1) item
    WHERE m.tenant = $1 AND m.conversation_id = ${CONVERSATION} AND m.role = '${role}'
      AND m.seq <= ${role === "user" ? END : `(SELECT min(ordinal) - 1 FROM chosen) / ${ORDINAL_GAP}`}`;
}

export const SELECT_WINDOW = `
  WITH RECURSIVE conversation AS MATERIALIZED (
    SELECT tenant, conversation_id, uid, context_items, context_tokens, (
      SELECT fresh_from FROM compaction_events e
      WHERE e.tenant = c.tenant AND e.conversation_id = c.conversation_id
      ORDER BY event_number DESC LIMIT 1) AS fresh_from
    FROM conversations c WHERE tenant = $1 AND agent = $2 AND uid = $3),
  ${WALK},
  chosen AS MATERIALIZED (
    SELECT * FROM walk WHERE position = 1 OR (position > 1 AND tokens <= $4::bigint)),
  pinned AS (
    SELECT * FROM (${messagesOf("system")} ORDER BY m.seq) system
    UNION ALL SELECT * FROM (${messagesOf("user")} ORDER BY m.seq DESC LIMIT 1) newest),
  listed AS (
    SELECT ordinal, seq, summary_number, token_count, false AS is_pinned FROM chosen
    UNION ALL SELECT ordinal, seq, NULL, token_count, true FROM pinned
      WHERE ordinal < (SELECT min(ordinal) FROM chosen)),
  page AS (
    SELECT conversation.*, listed.ordinal, listed.seq, listed.summary_number, listed.is_pinned,
      listed.token_count AS item_tokens, coalesce(m.token_count, s.token_count) AS token_count,
      coalesce(m.created_at, s.created_at) AS created_at, coalesce(m.encoding, s.encoding) AS encoding,
      coalesce(m.content, CASE WHEN s.summary_id <> ALL($6::text[]) THEN s.content END) AS content,
      coalesce(listed.seq = ANY($5::bigint[]), s.summary_id = ANY($6::text[])) AS is_held, m.message_key, m.role, m.format, m.erased_at, m.salt, m.digest,
      m.hash, s.summary_id, s.kind, s.depth, s.quality, s.model, s.first_seq, s.last_seq, s.earliest_at,
      s.latest_at, s.message_count, s.source_token_count, s.descendant_count, s.descendant_token_count, s.file_ids,
      s.fidelity, s.merkle_root
    FROM listed CROSS JOIN conversation
    LEFT JOIN LATERAL (
      SELECT * FROM messages WHERE tenant = $1 AND conversation_id = conversation.conversation_id
        AND seq = listed.seq AND seq <> ALL($5::bigint[]) LIMIT 1) m ON true
    LEFT JOIN LATERAL (
      SELECT * FROM summaries WHERE tenant = $1 AND conversation_id = conversation.conversation_id
        AND summary_number = listed.summary_number LIMIT 1) s ON true)
  SELECT page.ordinal, page.is_pinned, page.is_held, page.item_tokens, page.context_items, page.context_tokens, page.fresh_from,
    NULL::bigint AS following, ${MESSAGE_COLUMNS}, ${SUMMARY_COLUMNS}, ${CONTENT_COLUMNS}
  FROM page ${SLICES} ORDER BY page.is_pinned, page.ordinal`;

type WindowRow = ((MessageRow & { summary_number: null }) | SummaryRow) & {
  ordinal: number;
  is_pinned: boolean;
  is_held: boolean;
  item_tokens: number;
  context_items: number;
  context_tokens: number;
  fresh_from: number | null;
};

type WholeRow = { readonly row: WindowRow; readonly content: string | Uint8Array | null };

export async function readWindow(
  session: Session,
  scope: Scope,
  conversation: string,
  query: WindowQuery,
): Promise<ContextWindow> {
  const rows = await session.rows<WindowRow>(
    SELECT_WINDOW,
    scope.tenant,
    scope.agent,
    conversation,
    Math.max(0, Math.min(END, Math.floor(query.maxTokens))),
    query.held?.seqs ?? [],
    query.held?.summaries ?? [],
  );
  const all = [...joinSlices(rows)];
  const inside = all.filter(({ row }) => !row.is_pinned);
  const before = all.filter(({ row }) => row.is_pinned).map(toWindowItem);
  return {
    items: inside.map(toWindowItem),
    left: leftOver(inside),
    freshFrom: inside[0]?.row.fresh_from ?? 0,
    pinned: before.filter((item) => item.type === "message"),
  };
}

function toWindowItem({ row, content }: WholeRow): WindowItem {
  const { ordinal, is_held } = row;
  if (row.summary_number === null)
    return { ordinal, type: "message", seq: row.seq, message: is_held ? null : toMessage(row, content) };
  return { ordinal, type: "summary", id: row.summary_id, summary: is_held ? null : toSummary(row, content) };
}

function leftOver(inside: readonly WholeRow[]): ContextWindow["left"] {
  const { context_items = 0, context_tokens = 0 } = inside[0]?.row ?? {};
  const tokens = inside.reduce((sum, { row }) => sum + row.item_tokens, 0);
  return { items: context_items - inside.length, tokens: context_tokens - tokens };
}
