/** The record of compactions, in order. No hash covers it. */
import type { Scope } from "../../types.ts";
import { insertInto } from "../insert.ts";
import type { HeldConversation, Reader } from "../port.ts";
import { sealedTable } from "../sealed-table.ts";
import { CONVERSATION_ID, statement } from "../statement.ts";
import type { CompactionEvent, Page, RangeQuery } from "../store.ts";
import { DEFAULT_LIMIT, END, pageOf } from "./pages.ts";

const NEWEST = statement(
  (d) =>
    `SELECT coalesce(max(event_number), 0) AS number FROM compaction_events e WHERE ${d.conversation("e")}`,
);
export const SEALED_COMPACTIONS = sealedTable(
  "compaction_events",
  {
    event_number: "bigint",
    summary_number: "bigint",
    at: "time",
    trigger_reason: "shown",
    token_before: "bigint",
    token_after: "bigint",
    milliseconds: "real",
    fresh_from: "bigint",
  },
  "conversation",
  { event_number: 0 },
);
const INSERT = insertInto("compaction_events", SEALED_COMPACTIONS.columns, {
  sealed: SEALED_COMPACTIONS,
  onConflict: () => "ON CONFLICT DO NOTHING",
});

/** An event, its number, and the number of its summary. */
interface NumberedEvent {
  readonly number: number;
  readonly summaryNumber: number;
  readonly event: CompactionEvent;
}

/**
 * One event for each summary: an existing event stays. Numbers only rise. A new summary has a higher number than any event,
 * so its event takes it.
 */
export function insertEvents(held: HeldConversation, events: readonly NumberedEvent[]): void {
  held.insert(
    INSERT,
    events.map(({ number, summaryNumber, event }) => ({
      event_number: number,
      summary_number: summaryNumber,
      at: event.at,
      trigger_reason: event.trigger,
      token_before: event.tokensBefore,
      token_after: event.tokensAfter,
      milliseconds: event.milliseconds,
      fresh_from: event.freshFrom,
    })),
  );
}

/** The highest number of an event; 0 if there is none. */
export async function newestEvent(held: HeldConversation): Promise<number> {
  return (await held.one<{ number: number }>(NEWEST))?.number ?? 0;
}

const READ = statement(
  (d) => `SELECT e.event_number AS number, e.at, s.summary_id AS summary, e.trigger_reason AS "trigger",
      e.token_before AS "tokensBefore", e.token_after AS "tokensAfter", e.milliseconds, e.fresh_from AS "freshFrom"
    FROM (
      SELECT * FROM compaction_events n WHERE ${d.conversation("n", CONVERSATION_ID)}
        AND n.event_number BETWEEN $4 AND $5 ORDER BY n.event_number LIMIT $6) e
    ${d.maybe("summaries", "s", `${d.conversation("s", "e.conversation_id")} AND s.summary_number = e.summary_number`)}
    ORDER BY e.event_number`,
);

type EventRow = { number: number; summary: string | null } & Omit<CompactionEvent, "summary">;

export async function readEvents(
  reader: Reader,
  { tenant, agent }: Scope,
  conversation: string,
  { from = 0, to = END, limit = DEFAULT_LIMIT }: RangeQuery,
): Promise<Page<CompactionEvent>> {
  const rows = await reader.rows<EventRow>(READ, tenant, agent, conversation, from, to, limit + 1);
  const page = pageOf(rows, limit, (row) => row.number);
  return {
    rows: page.rows.map(({ number: _, summary, ...event }) => ({ ...event, summary: summary ?? "" })),
    next: page.next,
  };
}
