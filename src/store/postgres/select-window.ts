/**
 * The statement that finds which items of the context fit. It adds up from the newest item and stops at the budget, so its
 * cost does not grow with the history.
 */
import { MOST_OPENING } from "../rules/window-items.ts";
import { ORDINAL_GAP } from "../store.ts";
import { END } from "../tables/pages.ts";

/** Items that are added up at a time. Only the last step reads single items. */
const STEP = 64;

/** Most summaries before a window that are read. The share of a budget fits fewer. */
const MOST_SUMMARIES = 500;

const CONVERSATION = "(SELECT conversation_id FROM conversation)";
const ITEMS = `context_items WHERE tenant = $1 AND conversation_id = ${CONVERSATION}`;

const stepBefore = (reached: string) =>
  `(SELECT ordinal, token_count, coalesce(stub_token_count, token_count) AS stub_tokens FROM ${ITEMS}
    AND ordinal < ${reached}.ordinal ORDER BY ordinal DESC LIMIT ${STEP})`;

/**
 * The ordinal before which tool results are stubs; 0 if there are none. $7 to $9: `above`, `freshTokens` and `stepTokens`,
 * $10 and $11: `freshItems` and `fullAt`; or NULL. `fresh` is `wholeTokens` of stub-border.ts, and NULL if the newest
 * compaction has set the border.
 */
const BORDER = `fresh AS MATERIALIZED (
    SELECT CASE WHEN context_tokens > $7::float8 THEN greatest(context_tokens
      - floor(greatest(0, context_tokens - least($8::float8, newest.tokens)) / step.tokens) * step.tokens,
      CASE WHEN context_stub_tokens + last.tokens <= $7::float8 THEN last.tokens END) END AS tokens
    FROM conversation CROSS JOIN LATERAL (
      SELECT greatest(1, CASE WHEN context_tokens > $11::float8 THEN $9::float8 / 2 ELSE $9::float8 END) AS tokens) step
    CROSS JOIN (SELECT sum(token_count) AS tokens FROM (
      SELECT token_count FROM ${ITEMS} ORDER BY ordinal DESC LIMIT coalesce($10::bigint, 0)) newest) newest
    LEFT JOIN LATERAL (SELECT token_count AS tokens FROM ${ITEMS} ORDER BY ordinal DESC LIMIT 1) last ON true),
  fresh_steps AS (
    SELECT ${END}::bigint AS ordinal, 0::bigint AS tokens
  UNION ALL
    SELECT step.* FROM fresh_steps CROSS JOIN LATERAL (
      SELECT min(newest.ordinal), fresh_steps.tokens + sum(newest.token_count)
      FROM ${stepBefore("fresh_steps")} newest HAVING count(*) > 0) step
    WHERE tokens <= (SELECT tokens FROM fresh)),
  whole_steps AS (
    SELECT * FROM fresh_steps WHERE tokens <= (SELECT tokens FROM fresh) ORDER BY ordinal LIMIT 1),
  fresh_single AS (
    SELECT newest.ordinal, whole_steps.tokens + sum(newest.token_count) OVER (ORDER BY newest.ordinal DESC) AS tokens
    FROM whole_steps CROSS JOIN LATERAL ${stepBefore("whole_steps")} newest),
  border AS MATERIALIZED (
    SELECT CASE WHEN $7::float8 IS NULL THEN 0 ELSE greatest(coalesce(fresh_from, 0) * ${ORDINAL_GAP}, (
      SELECT max(ordinal) + 1 FROM fresh_single WHERE tokens > (SELECT tokens FROM fresh))) END AS ordinal
    FROM conversation)`;

const BEFORE_BORDER = "ordinal < (SELECT ordinal FROM border)";

/** The cost of an item. */
const COST = `CASE WHEN newest.${BEFORE_BORDER} THEN newest.stub_tokens ELSE newest.token_count END`;

/** $4: the budget; $6: the cost of each item in addition to its own tokens. */
const FITS = "tokens + items * $6::bigint <= $4::bigint";

/** How far back the budget reaches, in whole steps and then item by item; the newest item is always included. */
const EDGE = `steps AS (
    SELECT ${END}::bigint AS ordinal, 0::bigint AS items, 0::bigint AS tokens, 0::bigint AS stub_tokens
  UNION ALL
    SELECT step.* FROM steps CROSS JOIN LATERAL (
      SELECT min(newest.ordinal), steps.items + count(*), steps.tokens + sum(${COST}),
        steps.stub_tokens + sum(newest.stub_tokens)
      FROM ${stepBefore("steps")} newest HAVING count(*) > 0) step
    WHERE ${FITS}),
  whole AS MATERIALIZED (SELECT * FROM steps WHERE items = 0 OR ${FITS} ORDER BY items DESC LIMIT 1),
  single AS (
    SELECT newest.ordinal, whole.items + row_number() OVER newest_first AS items,
      whole.tokens + sum(${COST}) OVER newest_first AS tokens,
      whole.stub_tokens + sum(newest.stub_tokens) OVER newest_first AS stub_tokens
    FROM whole CROSS JOIN LATERAL ${stepBefore("whole")} newest
    WINDOW newest_first AS (ORDER BY newest.ordinal DESC)),
  edge AS MATERIALIZED (
    SELECT * FROM (SELECT * FROM whole UNION ALL SELECT * FROM single WHERE items = 1 OR ${FITS}) reached
    ORDER BY items DESC LIMIT 1)`;

const FROM = "(SELECT ordinal FROM edge)";

/** Messages of a role that are in the context themselves. */
function messagesOf(role: "system" | "user"): string {
  return `SELECT item.ordinal, m.seq, item.token_count FROM messages m CROSS JOIN LATERAL (
      SELECT ordinal, token_count FROM context_items
      WHERE tenant = $1 AND conversation_id = m.conversation_id AND ordinal = m.seq * ${ORDINAL_GAP}
        AND item_type = 'message' LIMIT 1) item
    WHERE m.tenant = $1 AND m.conversation_id = ${CONVERSATION} AND m.role = '${role}'
      AND m.seq <= ${role === "user" ? END : `(${FROM} - 1) / ${ORDINAL_GAP}`}`;
}

/** The user's first messages on the active path, up to $12, if the window leaves items out. */
const OPENING = `SELECT m.seq, m.token_count, EXISTS (
      SELECT 1 FROM ${ITEMS} AND ordinal = m.seq * ${ORDINAL_GAP} AND item_type = 'message') AS is_item
    FROM (
      SELECT seq, token_count, erased_at FROM messages
      WHERE tenant = $1 AND conversation_id = ${CONVERSATION} AND role = 'user' AND seq <= $12::bigint
        AND context_items > edge.items
      ORDER BY seq LIMIT ${MOST_OPENING}) m
    WHERE m.erased_at IS NULL AND NOT EXISTS (
      SELECT 1 FROM context_exclusions x WHERE x.tenant = $1 AND x.conversation_id = ${CONVERSATION} AND x.seq = m.seq)`;

/** The id of the summary that an item shows. */
const WITH_ID = `CROSS JOIN LATERAL (
  SELECT summary_id FROM summaries WHERE tenant = $1 AND conversation_id = ${CONVERSATION}
    AND summary_number = item.summary_number LIMIT 1) s`;

export const SELECT_WINDOW = `
  WITH RECURSIVE conversation AS MATERIALIZED (
    SELECT tenant, conversation_id, context_items, context_tokens, context_stub_tokens, (
      SELECT fresh_from FROM compaction_events e
      WHERE e.tenant = $1 AND e.conversation_id = c.conversation_id
      ORDER BY event_number DESC LIMIT 1) AS fresh_from
    FROM conversations c WHERE tenant = $1 AND agent = $2 AND uid = $3),
  ${BORDER},
  ${EDGE},
  pinned AS (
    SELECT * FROM (${messagesOf("system")} ORDER BY m.seq) system
    UNION ALL SELECT * FROM (${messagesOf("user")} ORDER BY m.seq DESC LIMIT 1) newest)
  SELECT context_items - edge.items AS left_items,
    CASE WHEN border.ordinal = 0 THEN context_tokens - edge.tokens ELSE context_stub_tokens - edge.stub_tokens END
      AS left_tokens,
    (SELECT array_agg(seq) FROM ${ITEMS} AND ordinal >= ${FROM} AND ${BEFORE_BORDER}
      AND stub_token_count IS NOT NULL)::text AS stubs,
    (SELECT array_agg(seq ORDER BY ordinal) FROM ${ITEMS} AND item_type = 'message' AND ordinal >= ${FROM})::text
      AS seqs,
    (SELECT json_agg(json_build_array(item.ordinal, s.summary_id) ORDER BY item.ordinal) FROM (
        SELECT ordinal, summary_number FROM ${ITEMS} AND item_type = 'summary' AND ordinal >= ${FROM}) item
      ${WITH_ID})::text AS between,
    (SELECT json_agg(before.summary_id ORDER BY before.ordinal) FROM (
        SELECT item.ordinal, s.summary_id, sum(item.token_count) OVER (ORDER BY item.ordinal DESC) - item.token_count AS newer FROM (
          SELECT ordinal, summary_number, token_count FROM ${ITEMS} AND item_type = 'summary' AND ordinal < ${FROM}
          ORDER BY ordinal DESC LIMIT CASE WHEN $5::bigint > 0 THEN ${MOST_SUMMARIES} ELSE 0 END) item
        ${WITH_ID}) before
      WHERE before.newer < $5::bigint)::text AS before,
    (SELECT json_agg(seq ORDER BY seq) FROM pinned WHERE ordinal < ${FROM})::text AS pinned,
    (SELECT json_agg(json_build_array(seq, is_item, token_count) ORDER BY seq) FROM (${OPENING}) first)::text AS opening
  FROM conversation CROSS JOIN border CROSS JOIN edge`;
