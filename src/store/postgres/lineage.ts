/** Which summaries stand above and below one another. In `summary_parents` the parent is the older, finer source. */
import type { Role, Scope } from "../../types.ts";
import type { Lineage, LineageOf } from "../lineage.ts";
import { CONVERSATION_ID } from "../statement.ts";
import { ORDINAL_GAP } from "../store.ts";
import { aboveFromRow, type LevelColumns, levelsBelow, type OutlineColumns } from "../summary-outline.ts";
import type { Session } from "./session.ts";

/** Statements that are sent together are answered in one round trip. */
export async function readLineage(
  session: Session,
  { tenant, agent }: Scope,
  conversation: string,
  of: LineageOf,
): Promise<Lineage> {
  const rows = <Row extends object>(sql: string, from: number | string) =>
    session.rows<Row>(sql, tenant, agent, conversation, from);
  if ("seq" in of) {
    const [items, above] = await Promise.all([
      rows(MESSAGE_ITEM, of.seq),
      rows<OutlineColumns>(ABOVE_MESSAGE, of.seq),
    ]);
    return {
      inContext: items.length > 0,
      above: above.map(aboveFromRow),
      madeFrom: { messages: [], summaries: [] },
      below: [],
    };
  }
  const [items, above, messages, summaries, levels] = await Promise.all([
    rows(SUMMARY_ITEM, of.summary),
    rows<OutlineColumns>(ABOVE_SUMMARY, of.summary),
    rows<MessageRow>(MESSAGES_OF, of.summary),
    rows<SummaryRow>(SUMMARIES_OF, of.summary),
    rows<LevelColumns>(LEVELS, of.summary),
  ]);
  return {
    inContext: items.length > 0,
    above: above.map(aboveFromRow),
    madeFrom: { messages, summaries },
    below: levelsBelow(levels),
  };
}

type MessageRow = { seq: number; role: Role; tokenCount: number };
type SummaryRow = {
  id: string;
  firstSeq: number;
  lastSeq: number;
  tokenCount: number;
  wholeTokenCount: number;
};

/** The summary that was asked for. */
const ASKED_FOR = `s.tenant = $1 AND s.conversation_id = ${CONVERSATION_ID} AND s.summary_id = $4`;
const SAME_CONVERSATION = (a: string, b: string) =>
  `${a}.tenant = ${b}.tenant AND ${a}.conversation_id = ${b}.conversation_id`;
const STANDS = `SELECT 1 FROM context_items i WHERE ${SAME_CONVERSATION("i", "s")}
  AND i.ordinal = s.first_seq * ${ORDINAL_GAP} AND i.summary_number = s.summary_number`;

const MESSAGE_ITEM = `SELECT 1 FROM context_items i
  WHERE i.tenant = $1 AND i.conversation_id = ${CONVERSATION_ID} AND i.ordinal = $4::bigint * ${ORDINAL_GAP}
    AND i.seq = $4::bigint`;
const SUMMARY_ITEM = `SELECT 1 FROM summaries s WHERE ${ASKED_FOR} AND EXISTS (${STANDS})`;

const ABOVE_MESSAGE = aboveAll(`SELECT e.tenant, e.conversation_id, e.summary_number FROM summary_messages e
  WHERE e.tenant = $1 AND e.conversation_id = ${CONVERSATION_ID} AND e.seq = $4`);
const ABOVE_SUMMARY = aboveAll(`SELECT p.tenant, p.conversation_id, p.summary_number FROM summaries s
  JOIN summary_parents p ON ${SAME_CONVERSATION("p", "s")} AND p.parent_number = s.summary_number
  WHERE ${ASKED_FOR}`);

/** `nearest` selects those that were made from it directly. */
function aboveAll(nearest: string): string {
  return `WITH RECURSIVE above AS (
      ${nearest}
      UNION
      SELECT p.tenant, p.conversation_id, p.summary_number FROM above
      JOIN summary_parents p ON ${SAME_CONVERSATION("p", "above")} AND p.parent_number = above.summary_number)
    SELECT $3::text AS uid, s.summary_number, s.summary_id, s.kind, s.depth, s.token_count, s.quality, s.model,
      s.first_seq, s.last_seq, s.earliest_at, s.latest_at, s.message_count, s.source_token_count,
      s.descendant_count, s.descendant_token_count, s.file_ids, s.fidelity, s.created_at,
      (s.encoding = 'erased')::integer AS is_erased,
      (SELECT json_agg(source.summary_id ORDER BY p.ordinal)::text FROM summary_parents p
        JOIN summaries source ON ${SAME_CONVERSATION("source", "p")} AND source.summary_number = p.parent_number
        WHERE ${SAME_CONVERSATION("p", "s")} AND p.summary_number = s.summary_number) AS source_ids,
      (EXISTS (${STANDS}))::integer AS in_context
    FROM above JOIN summaries s ON ${SAME_CONVERSATION("s", "above")} AND s.summary_number = above.summary_number
    ORDER BY s.depth, s.summary_number`;
}

const MESSAGES_OF = `SELECT m.seq, m.role, m.token_count AS "tokenCount" FROM summaries s
  JOIN summary_messages e ON ${SAME_CONVERSATION("e", "s")} AND e.summary_number = s.summary_number
  JOIN messages m ON ${SAME_CONVERSATION("m", "e")} AND m.seq = e.seq
  WHERE ${ASKED_FOR} ORDER BY m.seq`;

const SUMMARIES_OF = `SELECT source.summary_id AS id, source.first_seq AS "firstSeq", source.last_seq AS "lastSeq",
    source.token_count AS "tokenCount",
    source.token_count + source.descendant_token_count + source.source_token_count AS "wholeTokenCount"
  FROM summaries s
  JOIN summary_parents p ON ${SAME_CONVERSATION("p", "s")} AND p.summary_number = s.summary_number
  JOIN summaries source ON ${SAME_CONVERSATION("source", "p")} AND source.summary_number = p.parent_number
  WHERE ${ASKED_FOR} ORDER BY p.ordinal`;

const LEVELS = `WITH RECURSIVE condensed AS (
    SELECT s.tenant, s.conversation_id, s.summary_number, s.depth, s.token_count, s.descendant_count,
      s.descendant_token_count
    FROM summaries s WHERE ${ASKED_FOR} AND s.depth > 0
    UNION
    SELECT s.tenant, s.conversation_id, s.summary_number, s.depth, s.token_count, s.descendant_count,
      s.descendant_token_count
    FROM condensed JOIN summary_parents p ON ${SAME_CONVERSATION("p", "condensed")}
      AND p.summary_number = condensed.summary_number
    JOIN summaries s ON ${SAME_CONVERSATION("s", "p")} AND s.summary_number = p.parent_number
    WHERE condensed.depth > 1)
  SELECT depth, count(*) AS summaries, sum(token_count)::bigint AS tokens,
    sum(descendant_count)::bigint AS descendants, sum(descendant_token_count)::bigint AS descendant_tokens
  FROM condensed GROUP BY depth ORDER BY depth DESC`;

const SIMILAR = `SELECT s.summary_id FROM conversations c
  JOIN summaries s ON s.tenant = c.tenant AND s.conversation_id = c.conversation_id
  WHERE c.tenant = $1 AND c.agent = $2
    AND (left(s.summary_id, 12) = left($3, 12) OR right(s.summary_id, 8) = right($3, 8))
  ORDER BY s.summary_id LIMIT 100`;

export async function readSimilarIds(
  session: Session,
  { tenant, agent }: Scope,
  id: string,
): Promise<string[]> {
  const rows = await session.rows<{ summary_id: string }>(SIMILAR, tenant, agent, id);
  return rows.map(({ summary_id }) => summary_id);
}
