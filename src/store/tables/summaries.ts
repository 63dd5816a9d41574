/** Nodes of the summary graph: their text, and the fields computed from their sources. */
import type { Scope } from "../../types.ts";
import { encodeContent } from "../content-encoding.ts";
import { insertInto } from "../insert.ts";
import type { HeldConversation, Reader } from "../port.ts";
import type { SourceFacts } from "../rules/summary-facts.ts";
import { sealedTable } from "../sealed-table.ts";
import { CONVERSATION_ID, statement } from "../statement.ts";
import type { StoredSummary, SummarySources } from "../store.ts";
import { SUMMARY_COLUMNS } from "./summary-fields.ts";

/** A summary, its number in its conversation, and the numbers of the summaries it was made from. */
interface NumberedSummary {
  readonly number: number;
  readonly summary: StoredSummary;
  readonly parents: readonly number[];
}

const NAMES = Object.fromEntries(SUMMARY_COLUMNS.map(({ name, column }) => [name, column]));

/** The columns that are neither computed from the sources nor the text. */
export const SEALED_SUMMARIES = sealedTable(
  "summaries",
  {
    id: "text",
    tokenCount: "integer",
    quality: "text",
    model: "shown",
    fileIds: "text",
    fidelity: "real",
    createdAt: "time",
  },
  "conversation",
  { summary_number: 0 },
  NAMES,
);

const INSERT = insertInto(
  "summaries",
  {
    summary_number: "bigint",
    ...Object.fromEntries(SUMMARY_COLUMNS.map(({ name, type }) => [name, type === "json" ? "text" : type])),
    encoding: "text",
    content: "content",
    content_size: "size",
  },
  { names: NAMES, sealed: SEALED_SUMMARIES },
);
const INSERT_MESSAGES = insertInto("summary_messages", { summary_number: "bigint", seq: "bigint" });
const INSERT_PARENTS = insertInto("summary_parents", {
  summary_number: "bigint",
  ordinal: "integer",
  parent_number: "bigint",
});

/** Inserts summaries with links to their sources. */
export function insertSummaries(held: HeldConversation, summaries: readonly NumberedSummary[]): void {
  held.insert(INSERT, summaries.map(toRow));
  held.insert(
    INSERT_MESSAGES,
    summaries.flatMap(({ number, summary: { sources } }) =>
      sources.type === "messages" ? sources.seqs.map((seq) => ({ summary_number: number, seq })) : [],
    ),
  );
  held.insert(
    INSERT_PARENTS,
    summaries.flatMap(({ number, parents }) =>
      parents.map((parent_number, ordinal) => ({ summary_number: number, ordinal, parent_number })),
    ),
  );
}

function toRow({ number, summary }: NumberedSummary) {
  const { content, fileIds } = summary;
  const encoded = content === null ? { encoding: "erased", stored: null } : encodeContent(content);
  return {
    ...summary,
    summary_number: number,
    fileIds: JSON.stringify(fileIds),
    encoding: encoded.encoding,
    content: encoded.stored,
    content_size: content === null ? 0 : Buffer.byteLength(content),
  };
}

const MESSAGE_FACTS = statement(
  (d) => `SELECT m.seq AS position, -1 AS depth, m.seq AS "firstSeq", m.seq AS "lastSeq",
      m.created_at AS "earliestAt", m.created_at AS "latestAt", 1 AS "messageCount",
      m.token_count AS "sourceTokenCount", 0 AS "descendantCount", 0 AS "descendantTokenCount",
      ${d.hex("m.hash")} AS hash
    FROM ${d.list("$3", "bigint", "wanted")} ${d.each("messages", "m", d.message("m", "wanted.value"))}
    ORDER BY wanted.key`,
);
const SUMMARY_FACTS = statement(
  (d) => `SELECT s.summary_number AS position, s.depth, s.first_seq AS "firstSeq", s.last_seq AS "lastSeq",
      s.earliest_at AS "earliestAt", s.latest_at AS "latestAt", s.message_count AS "messageCount",
      s.source_token_count AS "sourceTokenCount", s.descendant_count + 1 AS "descendantCount",
      s.descendant_token_count + s.token_count AS "descendantTokenCount", ${d.hex("s.merkle_root")} AS hash
    FROM ${d.list("$3", "text", "wanted")}
    ${d.each("summaries", "s", `${d.conversation("s")} AND s.summary_id = wanted.value`)}
    ORDER BY wanted.key`,
);

/** What each source contributes to a summary, in the order given. */
export function readSourceFacts(held: HeldConversation, sources: SummarySources): Promise<SourceFacts[]> {
  return sources.type === "messages"
    ? held.rows<SourceFacts>(MESSAGE_FACTS, sources.seqs)
    : held.rows<SourceFacts>(SUMMARY_FACTS, sources.ids);
}

const ERASED = SUMMARY_COLUMNS.filter(({ erased }) => erased !== undefined);

const BLANK = statement(
  (d) => `UPDATE summaries SET encoding = 'erased', content = NULL, seal = NULL,
      ${ERASED.map(({ column, erased }) => `${column} = ${erased}`).join(", ")} ${d.withoutSize}
    WHERE ${d.conversation("summaries")} AND ${d.isListed("summary_number", "$3", "bigint")}
      AND (encoding <> 'erased' OR content IS NOT NULL
        ${ERASED.map(({ column, isNullable }) => (isNullable ? `OR ${column} IS NOT NULL` : "")).join(" ")})`,
);

/**
 * Erases the text of summaries, and everything from which it could be guessed. Their sources stay stored, so that their roots
 * still verify. Returns how many had something to erase.
 */
export function blankSummaries(held: HeldConversation, numbers: readonly number[]): Promise<number> {
  return held.run(BLANK, numbers);
}

/** Links and events refer to summaries, so they are deleted first. */
const TABLES = ["summary_messages", "summary_parents", "compaction_events", "summaries"];
const DROPS = TABLES.map((table) =>
  statement(
    (d) =>
      `DELETE FROM ${table} WHERE ${d.conversation(table)} AND ${d.isListed("summary_number", "$3", "bigint")}`,
  ),
);

export function dropSummaries(held: HeldConversation, numbers: readonly number[]): void {
  for (const drop of DROPS) held.send(drop, numbers);
}

const DROPS_OF_MISSING = ["summary_messages", "summary_parents", "compaction_events"].map((table) =>
  statement(
    (d) => `DELETE FROM ${table} WHERE ${d.conversation(table)} AND NOT EXISTS (
      SELECT 1 FROM summaries s WHERE ${d.conversation("s")} AND s.summary_number = ${table}.summary_number)`,
  ),
);

/** Deletes the rows of missing summaries: links to their sources, and events. */
export function forgetMissingSummaries(held: HeldConversation): void {
  for (const drop of DROPS_OF_MISSING) held.send(drop);
}

export type SummaryNumberRow = {
  readonly summary_id: string;
  readonly summary_number: number;
  readonly encoding: string;
};

const NUMBERS = statement(
  (d) => `SELECT s.summary_id, s.summary_number, s.encoding FROM summaries s WHERE ${d.conversation("s")}`,
);

export function readNumbers(held: HeldConversation): Promise<SummaryNumberRow[]> {
  return held.rows<SummaryNumberRow>(NUMBERS);
}

const MISSING = statement(
  (d) => `SELECT count(*) AS count FROM (
    ${["summary_messages", "summary_parents"]
      .map(
        (table) => `SELECT l.summary_number FROM ${table} l WHERE ${d.conversation("l", CONVERSATION_ID)}
          AND NOT EXISTS (SELECT 1 FROM summaries s
            WHERE ${d.conversation("s", "l.conversation_id")} AND s.summary_number = l.summary_number)`,
      )
      .join(" UNION ")}) lost`,
);

/** How many summaries have links to their sources, but no row of their own. */
export async function countMissingSummaries(
  reader: Reader,
  { tenant, agent }: Scope,
  conversation: string,
): Promise<number> {
  return (await reader.one<{ count: number }>(MISSING, tenant, agent, conversation))?.count ?? 0;
}
