/** Summaries and sources above and below a message or a summary. In `summary_parents` the parent is the older, finer source. */
import type { Scope } from "../../types.ts";
import type {
  AboveSummary,
  LineageOf,
  PackedDescription,
  PackedLineage,
  SummaryLevel,
  SummarySource,
} from "../lineage.ts";
import type { Reader } from "../port.ts";
import { CONVERSATION_ID, type Dialect, type Statement, statement } from "../statement.ts";
import { ORDINAL_GAP, type StoredSummary } from "../store.ts";
import { findSummary, type OutlineRow, outlineColumns, toOutline } from "./summaries.ts";

const NO_MESSAGES = "[]";

/** On PostgreSQL, statements that are sent together are answered in one round trip. */
export async function readLineage(
  reader: Reader,
  { tenant, agent }: Scope,
  conversation: string,
  of: LineageOf,
): Promise<PackedLineage> {
  const rows = <Row extends object>(read: Statement, from: number | string) =>
    reader.rows<Row>(read, tenant, agent, conversation, from);
  if ("seq" in of) {
    const [items, above] = await Promise.all([
      rows(MESSAGE_ITEM, of.seq * ORDINAL_GAP),
      rows<AboveRow>(ABOVE_MESSAGE, of.seq),
    ]);
    return {
      inContext: items.length > 0,
      above: above.map(toAbove),
      messages: NO_MESSAGES,
      summaries: [],
      below: [],
    };
  }
  const [items, above, messages, summaries, levels] = await Promise.all([
    rows(SUMMARY_ITEM, of.summary),
    rows<AboveRow>(ABOVE_SUMMARY, of.summary),
    rows<{ messages: string }>(MESSAGES_OF, of.summary),
    rows<SummarySource>(SUMMARIES_OF, of.summary),
    rows<LevelRow>(LEVELS, of.summary),
  ]);
  return {
    inContext: items.length > 0,
    above: above.map(toAbove),
    messages: messages[0]?.messages ?? NO_MESSAGES,
    summaries,
    below: levelsBelow(levels),
  };
}

export async function readDescribedSummary(
  reader: Reader,
  scope: Scope,
  id: string,
): Promise<PackedDescription | undefined> {
  const summary = await findSummary(reader, scope, id);
  if (summary === undefined) return undefined;
  return { summary, ...(await readLineage(reader, scope, summary.conversation, { summary: id })) };
}

/** The requested summary. */
const askedFor = (d: Dialect) => `${d.conversation("s", CONVERSATION_ID)} AND s.summary_id = $4`;
const same = (d: Dialect, table: string) => d.conversation(table, "s.conversation_id");
const shown = (d: Dialect) => `EXISTS (SELECT 1 FROM context_items i WHERE ${same(d, "i")}
  AND i.ordinal = s.first_seq * ${ORDINAL_GAP} AND i.summary_number = s.summary_number)`;

const MESSAGE_ITEM = statement(
  (d) => `SELECT 1 AS found FROM context_items i
    WHERE ${d.conversation("i", CONVERSATION_ID)} AND i.ordinal = $4 AND i.item_type = 'message'`,
);
const SUMMARY_ITEM = statement(
  (d) => `SELECT 1 AS found FROM summaries s WHERE ${askedFor(d)} AND ${shown(d)}`,
);

/** `nearest` selects the summaries that were made from it directly. */
const aboveAll = (nearest: (d: Dialect) => string) =>
  statement(
    (d) => `WITH RECURSIVE above AS (
        ${nearest(d)}
      UNION
        SELECT p.conversation_id, p.summary_number FROM above
        ${d.join("summary_parents", "p", `${d.conversation("p", "above.conversation_id")} AND p.parent_number = above.summary_number`)})
      SELECT ${outlineColumns(d)}, ${shown(d)} AS in_context
      FROM above
      ${d.join("summaries", "s", `${d.conversation("s", "above.conversation_id")} AND s.summary_number = above.summary_number`)}
      ${d.join("conversations", "c", "c.tenant = $1 AND c.conversation_id = s.conversation_id")}
      ORDER BY s.depth, s.summary_number`,
  );

const ABOVE_MESSAGE = aboveAll(
  (d) => `SELECT e.conversation_id, e.summary_number FROM summary_messages e
    WHERE ${d.conversation("e", CONVERSATION_ID)} AND e.seq = $4`,
);
const ABOVE_SUMMARY = aboveAll(
  (d) => `SELECT p.conversation_id, p.summary_number FROM summaries s
    ${d.join("summary_parents", "p", `${same(d, "p")} AND p.parent_number = s.summary_number`)}
    WHERE ${askedFor(d)}`,
);

type AboveRow = OutlineRow & { readonly in_context: boolean | number };

function toAbove(row: AboveRow): AboveSummary {
  return { summary: toOutline(row), inContext: Boolean(row.in_context) };
}

/** All in one value: there are hundreds of them, and a row each takes longer. */
const MESSAGES_OF = statement((d) => {
  const messages = `summary_messages e ${d.each("messages", "m", d.message("m", "e.seq", "s.conversation_id"))}
    WHERE ${same(d, "e")} AND e.summary_number = s.summary_number`;
  return `SELECT ${d.jsonRows("m.seq, m.role, m.token_count", messages)} AS messages
    FROM summaries s WHERE ${askedFor(d)} AND s.depth = 0`;
});

/** The sources of a condensed summary, in order. */
export function readSources(
  reader: Reader,
  { tenant, agent }: Scope,
  { conversation, id }: StoredSummary,
): Promise<SummarySource[]> {
  return reader.rows<SummarySource>(SUMMARIES_OF, tenant, agent, conversation, id);
}

const SUMMARIES_OF = statement(
  (
    d,
  ) => `SELECT f.summary_id AS id, f.first_seq AS "firstSeq", f.last_seq AS "lastSeq", f.token_count AS "tokenCount",
      f.token_count + f.descendant_token_count + f.source_token_count AS "wholeTokenCount"
    FROM summaries s
    ${d.join("summary_parents", "p", `${same(d, "p")} AND p.summary_number = s.summary_number`)}
    ${d.join("summaries", "f", `${same(d, "f")} AND f.summary_number = p.parent_number`)}
    WHERE ${askedFor(d)} ORDER BY p.ordinal`,
);

const LEVEL_COLUMNS =
  "s.conversation_id, s.summary_number, s.depth, s.token_count, s.descendant_count, s.descendant_token_count";

const LEVELS = statement(
  (d) => `WITH RECURSIVE condensed AS (
      SELECT ${LEVEL_COLUMNS} FROM summaries s WHERE ${askedFor(d)} AND s.depth > 0
    UNION
      SELECT ${LEVEL_COLUMNS} FROM condensed
      ${d.join("summary_parents", "p", `${d.conversation("p", "condensed.conversation_id")} AND p.summary_number = condensed.summary_number`)}
      ${d.join("summaries", "s", `${d.conversation("s", "condensed.conversation_id")} AND s.summary_number = p.parent_number`)}
      WHERE condensed.depth > 1)
    SELECT depth, count(*) AS summaries, sum(token_count) AS tokens, sum(descendant_count) AS descendants,
      sum(descendant_token_count) AS descendant_tokens
    FROM condensed GROUP BY depth ORDER BY depth DESC`,
);

/** Condensed summaries of one depth, with everything below them. */
type LevelRow = {
  readonly depth: number;
  readonly summaries: number;
  readonly tokens: number;
  readonly descendants: number;
  readonly descendant_tokens: number;
};

/** From the summary itself down. Leaves are not read: summaries of depth 1 store how many leaves are below them. */
function levelsBelow(rows: readonly LevelRow[]): SummaryLevel[] {
  const below = rows.slice(1).map(({ depth, summaries, tokens }) => ({ depth, summaries, tokens }));
  const lowest = rows.at(-1);
  if (lowest === undefined) return below;
  return [...below, { depth: 0, summaries: lowest.descendants, tokens: lowest.descendant_tokens }];
}

const SIMILAR = statement(
  (d) => `SELECT s.summary_id FROM summaries s
    JOIN conversations c ON c.tenant = $1 AND c.agent = $2 AND c.conversation_id = s.conversation_id
    WHERE ${d.sameTenant("s")} AND (substr(s.summary_id, 1, 12) = $3 OR substr(s.summary_id, length(s.summary_id) - 7) = $4)
    ORDER BY s.summary_id LIMIT 100`,
);

/** Ids of summaries that start or end like this one. */
export async function readSimilarIds(
  reader: Reader,
  { tenant, agent }: Scope,
  id: string,
): Promise<string[]> {
  const rows = await reader.rows<{ summary_id: string }>(
    ...([SIMILAR, tenant, agent, id.slice(0, 12), id.slice(-8)] as const),
  );
  return rows.map(({ summary_id }) => summary_id);
}
