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
  type WindowQuery,
} from "../store.ts";
import {
  messageItem,
  type PlacedSummary,
  summaryItem,
  type WindowContents,
  windowItems,
} from "../window-items.ts";
import { readMessagesAt } from "./messages.ts";
import { findSummaries } from "./read-summaries.ts";
import { END } from "./rows.ts";
import type { Session } from "./session.ts";

/** Items that are added up at a time. Single ones are looked at in the last step only. */
const STEP = 64;

/** Summaries before a window that are looked at. A share of a budget holds fewer. */
const MOST_SUMMARIES = 500;

const CONVERSATION = "(SELECT conversation_id FROM conversation)";
const ITEMS = `context_items WHERE tenant = $1 AND conversation_id = ${CONVERSATION}`;

const stepBefore = (reached: string) =>
  `(SELECT ordinal, token_count FROM ${ITEMS} AND ordinal < ${reached}.ordinal ORDER BY ordinal DESC LIMIT ${STEP})`;

/** $4: what may be used up; $6: what each item costs beside its own tokens. */
const FITS = "tokens + items * $6::bigint <= $4::bigint";

/** How far back the budget reaches, in whole steps and then item by item; the newest item comes in any case. */
const EDGE = `steps AS (
    SELECT ${END}::bigint AS ordinal, 0::bigint AS items, 0::bigint AS tokens
  UNION ALL
    SELECT step.* FROM steps CROSS JOIN LATERAL (
      SELECT min(ordinal), steps.items + count(*), steps.tokens + sum(token_count)
      FROM ${stepBefore("steps")} newest HAVING count(*) > 0) step
    WHERE ${FITS}),
  whole AS MATERIALIZED (SELECT * FROM steps WHERE items = 0 OR ${FITS} ORDER BY items DESC LIMIT 1),
  single AS (
    SELECT newest.ordinal, whole.items + row_number() OVER newest_first AS items,
      whole.tokens + sum(token_count) OVER newest_first AS tokens
    FROM whole CROSS JOIN LATERAL ${stepBefore("whole")} newest
    WINDOW newest_first AS (ORDER BY newest.ordinal DESC)),
  edge AS MATERIALIZED (
    SELECT * FROM (SELECT * FROM whole UNION ALL SELECT * FROM single WHERE items = 1 OR ${FITS}) reached
    ORDER BY items DESC LIMIT 1)`;

const FROM = "(SELECT ordinal FROM edge)";

/** Messages of a role that stand in the context as themselves. */
function messagesOf(role: "system" | "user"): string {
  return `SELECT item.ordinal, m.seq, item.token_count FROM messages m CROSS JOIN LATERAL (
      SELECT ordinal, token_count FROM context_items
      WHERE tenant = $1 AND conversation_id = m.conversation_id AND ordinal = m.seq * ${ORDINAL_GAP}
        AND item_type = 'message' LIMIT 1) item
    WHERE m.tenant = $1 AND m.conversation_id = ${CONVERSATION} AND m.role = '${role}'
      AND m.seq <= ${role === "user" ? END : `(${FROM} - 1) / ${ORDINAL_GAP}`}`;
}

/** The id of the summary that an item shows. */
const WITH_ID = `CROSS JOIN LATERAL (
  SELECT summary_id FROM summaries WHERE tenant = $1 AND conversation_id = ${CONVERSATION}
    AND summary_number = item.summary_number LIMIT 1) s`;

export const SELECT_WINDOW = `
  WITH RECURSIVE conversation AS MATERIALIZED (
    SELECT tenant, conversation_id, context_items, context_tokens, (
      SELECT fresh_from FROM compaction_events e
      WHERE e.tenant = c.tenant AND e.conversation_id = c.conversation_id
      ORDER BY event_number DESC LIMIT 1) AS fresh_from
    FROM conversations c WHERE tenant = $1 AND agent = $2 AND uid = $3),
  ${EDGE},
  pinned AS (
    SELECT * FROM (${messagesOf("system")} ORDER BY m.seq) system
    UNION ALL SELECT * FROM (${messagesOf("user")} ORDER BY m.seq DESC LIMIT 1) newest)
  SELECT context_items, context_tokens, fresh_from, edge.items AS shown_items, edge.tokens AS shown_tokens,
    (SELECT array_agg(seq ORDER BY ordinal) FROM ${ITEMS} AND item_type = 'message' AND ordinal >= ${FROM})::text
      AS seqs,
    (SELECT json_agg(json_build_array(item.ordinal, s.summary_id) ORDER BY item.ordinal) FROM (
        SELECT ordinal, summary_number FROM ${ITEMS} AND item_type = 'summary' AND ordinal >= ${FROM}) item
      ${WITH_ID})::text AS between,
    (SELECT json_agg(before.summary_id ORDER BY before.ordinal) FROM (
        SELECT item.ordinal, s.summary_id, sum(item.token_count) OVER (ORDER BY item.ordinal DESC) AS tokens FROM (
          SELECT ordinal, summary_number, token_count FROM ${ITEMS} AND item_type = 'summary' AND ordinal < ${FROM}
          ORDER BY ordinal DESC LIMIT CASE WHEN $5::bigint > 0 THEN ${MOST_SUMMARIES} ELSE 0 END) item
        ${WITH_ID}) before
      WHERE before.tokens <= $5::bigint)::text AS before,
    (SELECT json_agg(seq ORDER BY seq) FROM pinned WHERE ordinal < ${FROM})::text AS pinned
  FROM conversation CROSS JOIN edge`;

type WindowRow = {
  context_items: number;
  context_tokens: number;
  fresh_from: number | null;
  shown_items: number;
  shown_tokens: number;
  seqs: string | null;
  between: string | null;
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
    Math.ceil(query.itemTokens ?? 0),
  );
  const seqs = JSON.parse(`[${row?.seqs?.slice(1, -1) ?? ""}]`) as number[];
  const between = JSON.parse(row?.between ?? "[]") as PlacedSummary[];
  const before = JSON.parse(row?.before ?? "[]") as string[];
  const pinned = JSON.parse(row?.pinned ?? "[]") as number[];
  const wanted = { seqs: [...seqs, ...pinned], ids: [...before, ...between.map(([, id]) => id)] };
  const contents = await readContents(session, scope, conversation, wanted, query);
  return {
    items: windowItems(seqs, between, contents),
    left: {
      items: (row?.context_items ?? 0) - (row?.shown_items ?? 0),
      tokens: (row?.context_tokens ?? 0) - (row?.shown_tokens ?? 0),
    },
    summaries: before.flatMap((id) => summaryItem(0, id, contents)),
    freshFrom: row?.fresh_from ?? 0,
    pinned: pinned.flatMap((seq) => messageItem(seq, contents)),
  };
}

/** What the caller does not hold; and what it does, which comes as null. */
async function readContents(
  session: Session,
  scope: Scope,
  conversation: string,
  wanted: { readonly seqs: readonly number[]; readonly ids: readonly string[] },
  { held }: WindowQuery,
): Promise<WindowContents> {
  const messages = new Map<number, StoredMessage | null>((held?.seqs ?? []).map((seq) => [seq, null]));
  const summaries = new Map<string, StoredSummary | null>((held?.summaries ?? []).map((id) => [id, null]));
  const seqs = wanted.seqs.filter((seq) => !messages.has(seq));
  const ids = wanted.ids.filter((id) => !summaries.has(id));
  for (const message of await readMessagesAt(session, scope, conversation, seqs))
    messages.set(message.seq, message);
  for (const summary of await findSummaries(session, scope, ids)) summaries.set(summary.id, summary);
  return { message: (seq) => messages.get(seq), summary: (id) => summaries.get(id) };
}
