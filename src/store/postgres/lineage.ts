/** Which summaries stand above and below one another. In `summary_parents` the parent is the older, finer source. */
import type { Scope } from "../../types.ts";
import type { StoredSummary, SummaryLevel, SummarySource } from "../store.ts";
import { findSummariesByNumber } from "./read-summaries.ts";
import type { Session } from "./session.ts";

const IN_CONVERSATION = "FROM conversations c JOIN";
const OF_SCOPE = "c.tenant = $1 AND c.agent = $2 AND c.uid = $3";

const MADE_FROM_MESSAGE = `SELECT e.summary_number ${IN_CONVERSATION} summary_messages e
    ON e.tenant = c.tenant AND e.conversation_id = c.conversation_id
  WHERE ${OF_SCOPE} AND e.seq = $4`;
const MADE_FROM_SUMMARY = `SELECT p.summary_number ${IN_CONVERSATION} summaries s
    ON s.tenant = c.tenant AND s.conversation_id = c.conversation_id
  JOIN summary_parents p ON p.tenant = s.tenant AND p.conversation_id = s.conversation_id
    AND p.parent_number = s.summary_number
  WHERE ${OF_SCOPE} AND s.summary_id = $4`;

export async function readMadeFrom(
  session: Session,
  scope: Scope,
  conversation: string,
  source: SummarySource,
): Promise<StoredSummary[]> {
  const { tenant, agent } = scope;
  const [statement, value] =
    "seq" in source ? [MADE_FROM_MESSAGE, source.seq] : [MADE_FROM_SUMMARY, source.summary];
  const rows = await session.rows<{ summary_number: number }>(statement, tenant, agent, conversation, value);
  const numbers = rows.map(({ summary_number }) => summary_number);
  const found = await findSummariesByNumber(session, scope, conversation, numbers);
  return found.toSorted((a, b) => a.number - b.number).map(({ summary }) => summary);
}

const LEVELS = `WITH RECURSIVE below AS (
    SELECT p.tenant, p.conversation_id, p.parent_number AS summary_number ${IN_CONVERSATION} summaries s
      ON s.tenant = c.tenant AND s.conversation_id = c.conversation_id
    JOIN summary_parents p ON p.tenant = s.tenant AND p.conversation_id = s.conversation_id
      AND p.summary_number = s.summary_number
    WHERE ${OF_SCOPE} AND s.summary_id = $4
    UNION
    SELECT p.tenant, p.conversation_id, p.parent_number FROM below
    JOIN summary_parents p ON p.tenant = below.tenant AND p.conversation_id = below.conversation_id
      AND p.summary_number = below.summary_number)
  SELECT s.depth, count(*) AS summaries, sum(s.token_count)::bigint AS tokens FROM below
  JOIN summaries s ON s.tenant = below.tenant AND s.conversation_id = below.conversation_id
    AND s.summary_number = below.summary_number
  GROUP BY s.depth ORDER BY s.depth DESC`;

export function readLevels(
  session: Session,
  { tenant, agent }: Scope,
  conversation: string,
  id: string,
): Promise<SummaryLevel[]> {
  return session.rows<{ depth: number; summaries: number; tokens: number }>(
    LEVELS,
    tenant,
    agent,
    conversation,
    id,
  );
}

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
