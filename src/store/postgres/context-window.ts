/**
 * The newest items of the context that fit: which they are in one statement, and then the content of those that the
 * caller does not hold. Reads nothing that does not fit. Messages and summaries never change but by an erasure, which
 * takes them out of the context: what is gone by then is left out.
 */
import type { Scope } from "../../types.ts";
import {
  type ContextWindow,
  ORDINAL_GAP,
  type StoredMessage,
  type StoredSummary,
  type WindowItem,
  type WindowQuery,
} from "../store.ts";
import { readMessagesAt } from "./messages.ts";
import { findSummaries } from "./read-summaries.ts";
import { END } from "./rows.ts";
import type { Session } from "./session.ts";

/** How many items one step of the walk takes. At most so many are looked at in vain, without their content. */
const STEP = 64;

/** Summaries before a window that are looked at. A share of a budget holds fewer. */
const MOST_SUMMARIES = 500;

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
    SELECT tenant, conversation_id, context_items, context_tokens, (
      SELECT fresh_from FROM compaction_events e
      WHERE e.tenant = c.tenant AND e.conversation_id = c.conversation_id
      ORDER BY event_number DESC LIMIT 1) AS fresh_from
    FROM conversations c WHERE tenant = $1 AND agent = $2 AND uid = $3),
  ${WALK},
  chosen AS MATERIALIZED (
    SELECT * FROM walk WHERE position = 1 OR (position > 1 AND tokens <= $4::bigint)),
  pinned AS (
    SELECT * FROM (${messagesOf("system")} ORDER BY m.seq) system
    UNION ALL SELECT * FROM (${messagesOf("user")} ORDER BY m.seq DESC LIMIT 1) newest)
  SELECT context_items, context_tokens, fresh_from,
    (SELECT coalesce(sum(token_count), 0) FROM chosen)::bigint AS tokens,
    (SELECT json_agg(json_build_array(ordinal, seq, (
        SELECT summary_id FROM summaries s WHERE s.tenant = $1 AND s.conversation_id = ${CONVERSATION}
          AND s.summary_number = chosen.summary_number LIMIT 1)) ORDER BY ordinal) FROM chosen)::text AS items,
    (SELECT json_agg(before.summary_id ORDER BY before.ordinal) FROM (
        SELECT item.ordinal, s.summary_id, sum(item.token_count) OVER (ORDER BY item.ordinal DESC) AS tokens FROM (
          SELECT ordinal, summary_number, token_count FROM context_items
          WHERE tenant = $1 AND conversation_id = ${CONVERSATION} AND item_type = 'summary'
            AND ordinal < (SELECT min(ordinal) FROM chosen)
          ORDER BY ordinal DESC LIMIT CASE WHEN $5::bigint > 0 THEN ${MOST_SUMMARIES} ELSE 0 END) item
        CROSS JOIN LATERAL (
          SELECT summary_id FROM summaries WHERE tenant = $1 AND conversation_id = ${CONVERSATION}
            AND summary_number = item.summary_number LIMIT 1) s) before
      WHERE before.tokens <= $5::bigint)::text AS before,
    (SELECT json_agg(seq ORDER BY seq) FROM pinned
      WHERE ordinal < (SELECT min(ordinal) FROM chosen))::text AS pinned
  FROM conversation`;

/** The ordinal, the seq of a message or null, the id of a summary or null. */
type PackedItem = readonly [number, number | null, string | null];

type WindowRow = {
  context_items: number;
  context_tokens: number;
  fresh_from: number | null;
  tokens: number;
  items: string | null;
  before: string | null;
  pinned: string | null;
};

export async function readWindow(
  session: Session,
  scope: Scope,
  conversation: string,
  query: WindowQuery,
): Promise<ContextWindow> {
  const maxTokens = Math.max(0, Math.min(END, Math.floor(query.maxTokens)));
  const [row] = await session.rows<WindowRow>(
    SELECT_WINDOW,
    scope.tenant,
    scope.agent,
    conversation,
    maxTokens,
    Math.floor(query.summaryTokens ?? 0),
  );
  const items = JSON.parse(row?.items ?? "[]") as PackedItem[];
  const pinned = JSON.parse(row?.pinned ?? "[]") as number[];
  const before = JSON.parse(row?.before ?? "[]") as string[];
  const wanted = [...before.map((id): PackedItem => [0, null, id]), ...items];
  const contents = await readContents(session, scope, conversation, wanted, pinned, query);
  return {
    items: items.flatMap((item) => toItem(item, contents)),
    left: {
      items: (row?.context_items ?? 0) - items.length,
      tokens: (row?.context_tokens ?? 0) - (row?.tokens ?? 0),
    },
    summaries: before.flatMap((id) => toSummaryItem(0, id, contents)),
    freshFrom: row?.fresh_from ?? 0,
    pinned: pinned.flatMap((seq) => toMessageItem(seq * ORDINAL_GAP, seq, contents)),
  };
}

/** What the caller does not hold; and what it does, which comes as null. */
interface Contents {
  readonly messages: ReadonlyMap<number, StoredMessage | null>;
  readonly summaries: ReadonlyMap<string, StoredSummary | null>;
}

async function readContents(
  session: Session,
  scope: Scope,
  conversation: string,
  items: readonly PackedItem[],
  pinned: readonly number[],
  { held }: WindowQuery,
): Promise<Contents> {
  const messages = new Map<number, StoredMessage | null>((held?.seqs ?? []).map((seq) => [seq, null]));
  const summaries = new Map<string, StoredSummary | null>((held?.summaries ?? []).map((id) => [id, null]));
  const seqs = [...items.flatMap(([, seq]) => seq ?? []), ...pinned].filter((seq) => !messages.has(seq));
  const ids = items.flatMap(([, , id]) => id ?? []).filter((id) => !summaries.has(id));
  for (const message of await readMessagesAt(session, scope, conversation, seqs))
    messages.set(message.seq, message);
  for (const summary of await findSummaries(session, scope, ids)) summaries.set(summary.id, summary);
  return { messages, summaries };
}

function toItem([ordinal, seq, id]: PackedItem, contents: Contents): WindowItem[] {
  return seq === null ? toSummaryItem(ordinal, id ?? "", contents) : toMessageItem(ordinal, seq, contents);
}

function toSummaryItem(ordinal: number, id: string, { summaries }: Contents) {
  const summary = summaries.get(id);
  return summary === undefined ? [] : [{ ordinal, type: "summary" as const, id, summary }];
}

function toMessageItem(ordinal: number, seq: number, { messages }: Contents) {
  const message = messages.get(seq);
  return message === undefined ? [] : [{ ordinal, type: "message" as const, seq, message }];
}
