import type { Scope } from "../../types.ts";
import type { CompactionEvent, Page, RangeQuery } from "../store.ts";
import { SUMMARY_OF_ITEM } from "./context-items.ts";
import { CONVERSATION_ID } from "./conversations.ts";
import { DEFAULT_LIMIT, END, pageOf, withoutNul } from "./rows.ts";
import type { Session } from "./session.ts";
import type { Transaction } from "./transaction.ts";

/** One event for each summary, in this order: what is known of a summary already stays. */
export function insertEvents(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  events: readonly CompactionEvent[],
): void {
  if (events.length === 0) return;
  transaction.send(
    `INSERT INTO compaction_events (tenant, conversation_id, event_number, summary_number, at, trigger_reason,
       token_before, token_after, milliseconds, fresh_from)
     SELECT $1::text, $2::bigint, newest.number + given.place, summary.summary_number, given.at, given.reason,
       given.before, given.after, given.milliseconds, given.fresh_from
     FROM unnest($3::text[], $4::timestamptz[], $5::text[], $6::bigint[], $7::bigint[], $8::float8[], $9::bigint[])
       WITH ORDINALITY AS given(summary, at, reason, before, after, milliseconds, fresh_from, place)
     CROSS JOIN (
       SELECT coalesce(max(event_number), 0) AS number FROM compaction_events
       WHERE tenant = $1 AND conversation_id = $2) newest
     CROSS JOIN LATERAL (
       SELECT summary_number FROM summaries
       WHERE tenant = $1 AND conversation_id = $2 AND summary_id = given.summary LIMIT 1) summary
     ON CONFLICT DO NOTHING`,
    scope.tenant,
    conversationId,
    events.map((event) => event.summary),
    events.map((event) => event.at),
    events.map((event) => withoutNul(event.trigger)),
    events.map((event) => event.tokensBefore),
    events.map((event) => event.tokensAfter),
    events.map((event) => event.milliseconds),
    events.map((event) => event.freshFrom),
  );
}

type EventRow = { number: number; summary: string | null } & Omit<CompactionEvent, "summary">;

export async function readEvents(
  session: Session | Transaction,
  scope: Scope,
  conversation: string,
  query: RangeQuery,
): Promise<Page<CompactionEvent>> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows = await session.rows<EventRow>(
    `SELECT page.event_number AS number, page.at, summary.summary_id AS summary, page.trigger_reason AS "trigger",
       page.token_before AS "tokensBefore", page.token_after AS "tokensAfter", page.milliseconds,
       page.fresh_from AS "freshFrom"
     FROM (
       SELECT * FROM compaction_events WHERE tenant = $1 AND conversation_id = ${CONVERSATION_ID}
         AND event_number BETWEEN $4 AND $5
       ORDER BY event_number LIMIT $6::bigint + 1) page
     ${SUMMARY_OF_ITEM} ORDER BY page.event_number`,
    scope.tenant,
    scope.agent,
    conversation,
    query.from ?? 0,
    query.to ?? END,
    limit,
  );
  const page = pageOf(rows, limit, (row) => row.number);
  return {
    rows: page.rows.map(({ number: _, summary, ...event }) => ({ ...event, summary: summary ?? "" })),
    next: page.next,
  };
}
