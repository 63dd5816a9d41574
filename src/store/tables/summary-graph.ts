/** The graph of summaries: the sources of each, in `summary_messages` and `summary_parents`. */
import type { HeldConversation } from "../port.ts";
import type { BrokenRow, SourceRow } from "../rules/take-apart.ts";
import { type Dialect, statement } from "../statement.ts";
import { ORDINAL_GAP } from "../store.ts";

/** Every summary that was made from one of the messages $3, at any depth, as the recursive table `above`. */
const aboveMessages = (d: Dialect) => `above (summary_number) AS (
    SELECT e.summary_number FROM ${d.list("$3", "bigint", "wanted")}
    ${d.join("summary_messages", "e", `${d.conversation("e")} AND e.seq = wanted.value`)}
  UNION
    SELECT p.summary_number FROM above
    ${d.join("summary_parents", "p", `${d.conversation("p")} AND p.parent_number = above.summary_number`)})`;

const ABOVE_MESSAGES = statement(
  (d) => `WITH RECURSIVE ${aboveMessages(d)} SELECT summary_number FROM above`,
);

export async function summariesAbove(held: HeldConversation, seqs: readonly number[]): Promise<number[]> {
  if (seqs.length === 0) return [];
  const rows = await held.rows<{ summary_number: number }>(ABOVE_MESSAGES, seqs);
  return rows.map(({ summary_number }) => summary_number);
}

const WITH_ABOVE = statement(
  (d) => `WITH RECURSIVE above (summary_number) AS (
      SELECT s.summary_number FROM ${d.list("$3", "text", "wanted")}
      ${d.join("summaries", "s", `${d.conversation("s")} AND s.summary_id = wanted.value`)}
    UNION
      SELECT p.summary_number FROM above
      ${d.join("summary_parents", "p", `${d.conversation("p")} AND p.parent_number = above.summary_number`)})
    SELECT summary_number FROM above`,
);

/** The numbers of these summaries, and of all that were made from them, at any depth. */
export async function summariesWithAbove(held: HeldConversation, ids: readonly string[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await held.rows<{ summary_number: number }>(WITH_ABOVE, ids);
  return rows.map(({ summary_number }) => summary_number);
}

const nothing = (type: string) => `CAST(NULL AS ${type})`;

/** Rows for `takeApart`: those of the table `broken`, and the sources of each. */
const brokenWithSources = (d: Dialect) => `
    SELECT 'broken' AS type, b.summary_number, ${nothing("bigint")} AS source, ${nothing("bigint")} AS first_seq,
      b.ordinal, b.token_count, ${nothing("integer")} AS stub_token_count FROM broken b
  UNION ALL
    SELECT 'summary', b.summary_number, s.summary_number, s.first_seq, NULL, s.token_count, NULL FROM broken b
    ${d.join("summary_parents", "p", `${d.conversation("p")} AND p.summary_number = b.summary_number`)}
    ${d.join("summaries", "s", `${d.conversation("s")} AND s.summary_number = p.parent_number`)}
  UNION ALL
    SELECT 'message', b.summary_number, m.seq, NULL, NULL, m.token_count, m.stub_token_count FROM broken b
    ${d.join("summary_messages", "e", `${d.conversation("e")} AND e.summary_number = b.summary_number`)}
    ${d.join("messages", "m", d.message("m", "e.seq"))}
    WHERE NOT EXISTS (SELECT 1 FROM context_exclusions x WHERE ${d.message("x", "e.seq")})`;

/** The context item of a summary, if it is shown. */
const shownItem = (d: Dialect) =>
  `${d.conversation("i")} AND i.ordinal = s.first_seq * ${ORDINAL_GAP} AND i.summary_number = s.summary_number`;

const COVERING = statement(
  (d) => `WITH RECURSIVE ${aboveMessages(d)},
    broken AS (
      SELECT s.summary_number, i.ordinal, i.token_count FROM above
      ${d.join("summaries", "s", `${d.conversation("s")} AND s.summary_number = above.summary_number`)}
      LEFT JOIN context_items i ON ${shownItem(d)})
    ${brokenWithSources(d)}`,
);

/** Every summary that covers one of the messages, at any depth, with its sources. */
export function summariesCovering(
  held: HeldConversation,
  seqs: readonly number[],
): Promise<(BrokenRow | SourceRow)[]> {
  return held.rows<BrokenRow | SourceRow>(COVERING, seqs);
}

const AROUND = statement(
  (d) => `WITH broken AS (
      SELECT DISTINCT s.summary_number, i.ordinal, i.token_count FROM ${d.list("$3", "bigint", "entering")}
      ${d.join(
        "context_items",
        "i",
        `${d.conversation("i")} AND i.ordinal = (
        SELECT max(n.ordinal) FROM context_items n
        WHERE ${d.conversation("n")} AND n.ordinal <= entering.value * ${ORDINAL_GAP})`,
      )}
      ${d.join("summaries", "s", `${d.conversation("s")} AND s.summary_number = i.summary_number`)}
      WHERE s.last_seq > entering.value)
    ${brokenWithSources(d)}`,
);

/** Summaries of the context that cover messages on both sides of one of these, with their sources. */
export function summariesAround(
  held: HeldConversation,
  seqs: readonly number[],
): Promise<(BrokenRow | SourceRow)[]> {
  return held.rows<BrokenRow | SourceRow>(AROUND, seqs);
}
