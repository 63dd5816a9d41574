/** Stored messages that are not in the context, each with its reason. */
import type { ExclusionReason } from "../../types.ts";
import { insertInto } from "../insert.ts";
import type { HeldConversation } from "../port.ts";
import { type Dialect, statement } from "../statement.ts";

const COLUMNS = { seq: "message", reason: "text" } as const;
const conflict = (action: string) => (d: Dialect) => `ON CONFLICT (${d.exclusionKey}) ${action}`;

const ADD = insertInto("context_exclusions", COLUMNS, { onConflict: conflict("DO NOTHING") });
const SET = insertInto("context_exclusions", COLUMNS, {
  onConflict: conflict("DO UPDATE SET reason = excluded.reason"),
});

type Reasons = ReadonlyMap<number, ExclusionReason>;

/** A message that is already excluded keeps its reason. */
export function addExclusions(held: HeldConversation, reasons: Reasons): void {
  held.insert(ADD, rowsOf(reasons));
}

export function setExclusions(held: HeldConversation, reasons: Reasons): void {
  held.insert(SET, rowsOf(reasons));
}

function rowsOf(reasons: Reasons) {
  return [...reasons].map(([seq, reason]) => ({ seq, reason }));
}

const DROP = statement(
  (
    d,
  ) => `DELETE FROM context_exclusions WHERE ${d.listedMessages("context_exclusions", "$3")} AND reason IN ('reset', 'heartbeat', 'branch')
    RETURNING ${d.seq("context_exclusions")} AS seq`,
);

/** Returns the messages that are no longer excluded. Erased messages and text that nobody said stay excluded. */
export async function dropExclusions(held: HeldConversation, seqs: readonly number[]): Promise<number[]> {
  const rows = await held.rows<{ seq: number }>(DROP, seqs);
  return rows.map(({ seq }) => seq);
}

const READ = statement(
  (d) => `SELECT ${d.seq("x")} AS seq, x.reason FROM context_exclusions x WHERE ${d.allMessages("x")}`,
);

export async function readExclusions(held: HeldConversation): Promise<Map<number, ExclusionReason>> {
  const rows = await held.rows<{ seq: number; reason: ExclusionReason }>(READ);
  return new Map(rows.map(({ seq, reason }) => [seq, reason]));
}

const ACTIVE_AFTER = statement(
  (d) => `SELECT m.seq FROM messages m ${d.maybe("context_exclusions", "x", d.sameMessage("x", "m"))}
    WHERE ${d.messages("m", "$3 + 1", "$4")} AND x.reason IS NULL ORDER BY m.seq`,
);

/** Messages of the active path after a position, in the context or covered by its summaries. */
export async function activeAfter(held: HeldConversation, after: number, last: number): Promise<number[]> {
  if (after >= last) return [];
  const rows = await held.rows<{ seq: number }>(ACTIVE_AFTER, after, last);
  return rows.map(({ seq }) => seq);
}
