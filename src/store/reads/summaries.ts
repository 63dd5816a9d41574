/** Summaries with their text and their sources. */
import { decodeLeniently } from "../../text/utf8.ts";
import type { Scope } from "../../types.ts";
import { originalBytes } from "../content-encoding.ts";
import type { SummaryOutline } from "../lineage.ts";
import type { Reader } from "../port.ts";
import { type Dialect, statement } from "../statement.ts";
import type { Page, RangeQuery, StoredSummary } from "../store.ts";
import { DEFAULT_LIMIT } from "../tables/pages.ts";
import { SUMMARY_COLUMNS, type SummaryHash } from "../tables/summary-fields.ts";

const HASHES = SUMMARY_COLUMNS.filter(({ type }) => type === "hash");
const FACTS = SUMMARY_COLUMNS.filter(({ type }) => type !== "hash");

/** The fields of a summary without its text, its sources and their hashes. */
type Facts = Omit<StoredSummary, "content" | "sources" | SummaryHash>;

type FactsRow = Omit<Facts, "fileIds"> & {
  readonly summary_number: number;
  /** JSON. */
  readonly fileIds: string;
};

/** For a summary `s` in a conversation `c`. */
const FACT_COLUMNS = [
  "c.uid AS conversation",
  "s.summary_number",
  ...FACTS.map(({ name, column }) => `s.${column} AS "${name}"`),
].join(", ");

const FACT_NAMES = ["conversation", ...FACTS.map(({ name }) => name as keyof Facts)] as const;

/** Copied name by name: the rest of a destructured row takes four times as long. */
function factsOf(row: FactsRow): Facts {
  const facts: Record<string, unknown> = {};
  for (const name of FACT_NAMES) facts[name] = row[name];
  facts.fileIds = JSON.parse(row.fileIds);
  return facts as Facts;
}

type SummaryRow = FactsRow &
  Pick<StoredSummary, SummaryHash> & {
    readonly encoding: string;
    readonly bytes: Uint8Array | null;
    /** JSON: seqs of a leaf, ids of the sources of another summary. */
    readonly sourceList: string;
  };

/** The ids of the sources of the summary `s`, as JSON; empty for a leaf. */
const sourceIds = (d: Dialect) =>
  d.jsonList(
    "f.summary_id",
    `summary_parents p ${d.join("summaries", "f", `${d.conversation("f", "s.conversation_id")} AND f.summary_number = p.parent_number`)}
     WHERE ${d.conversation("p", "s.conversation_id")} AND p.summary_number = s.summary_number`,
    "p.ordinal",
  );

/** For a summary `s` in a conversation `c`, without reading its text. */
export const outlineColumns = (d: Dialect) =>
  `${FACT_COLUMNS}, s.encoding = 'erased' AS is_erased,
   CASE WHEN s.kind = 'leaf' THEN '[]' ELSE ${sourceIds(d)} END AS source_ids`;

export type OutlineRow = FactsRow & {
  readonly is_erased: boolean | number;
  /** JSON list of ids. */
  readonly source_ids: string;
};

export function toOutline(row: OutlineRow): SummaryOutline {
  return { ...factsOf(row), sourceIds: JSON.parse(row.source_ids), isErased: Boolean(row.is_erased) };
}

/** In any order. */
const sourceSeqs = (d: Dialect) =>
  d.jsonList(
    "e.seq",
    `summary_messages e WHERE ${d.conversation("e", "s.conversation_id")} AND e.summary_number = s.summary_number`,
  );

const columns = (d: Dialect) => `${FACT_COLUMNS},
  ${HASHES.map(({ name, column }) => `${d.hexOrNull(`s.${column}`)} AS "${name}"`).join(", ")},
  s.encoding, ${d.contentBytes("s.content")} AS bytes,
  CASE WHEN s.kind = 'leaf' THEN ${sourceSeqs(d)} ELSE ${sourceIds(d)} END AS "sourceList"`;

const ofScope = (d: Dialect) =>
  `${d.join("conversations", "c", "c.tenant = $1 AND c.agent = $2 AND c.conversation_id = s.conversation_id")}
   WHERE ${d.sameTenant("s")}`;

const BY_ID = statement((d) => `SELECT ${columns(d)} FROM summaries s ${ofScope(d)} AND s.summary_id = $3`);

export async function findSummary(
  reader: Reader,
  { tenant, agent }: Scope,
  id: string,
): Promise<StoredSummary | undefined> {
  const row = await reader.one<SummaryRow>(BY_ID, tenant, agent, id);
  return row === undefined ? undefined : toSummary(row);
}

const BY_IDS = statement(
  (d) => `SELECT ${columns(d)} FROM ${d.list("$3", "text", "wanted")}
    ${d.each("summaries", "s", `${d.sameTenant("s")} AND s.summary_id = wanted.value AND s.encoding <> 'erased'`)}
    ${ofScope(d)} ORDER BY wanted.key`,
);

/** Those of them that still have their text, in this order. */
export async function findSummaries(
  reader: Reader,
  { tenant, agent }: Scope,
  ids: readonly string[],
): Promise<StoredSummary[]> {
  if (ids.length === 0) return [];
  return (await reader.rows<SummaryRow>(BY_IDS, tenant, agent, ids)).map(toSummary);
}

const BY_NUMBERS = statement(
  (d) => `SELECT ${columns(d)} FROM conversations c CROSS JOIN ${d.list("$4", "bigint", "wanted")}
    ${d.each("summaries", "s", `${d.conversation("s", "c.conversation_id")} AND s.summary_number = wanted.value`)}
    WHERE c.tenant = $1 AND c.agent = $2 AND c.uid = $3 ORDER BY wanted.key`,
);

/** Each with its number in the conversation, in this order. */
export async function findSummariesByNumber(
  reader: Reader,
  { tenant, agent }: Scope,
  conversation: string,
  numbers: readonly number[],
): Promise<{ readonly number: number; readonly summary: StoredSummary }[]> {
  if (numbers.length === 0) return [];
  const rows = await reader.rows<SummaryRow>(BY_NUMBERS, tenant, agent, conversation, numbers);
  return rows.map((row) => ({ number: row.summary_number, summary: toSummary(row) }));
}

const byConversation = (selected: (d: Dialect) => string) =>
  statement(
    (d) => `SELECT ${selected(d)} FROM conversations c
      ${d.join("summaries", "s", d.conversation("s", "c.conversation_id"))}
      WHERE c.tenant = $1 AND c.agent = $2 AND c.uid = $3
      ORDER BY s.depth, s.first_seq, s.summary_number LIMIT $4 OFFSET $5`,
  );
const BY_CONVERSATION = byConversation(columns);
const OUTLINES = byConversation(outlineColumns);

export async function readSummaries(
  reader: Reader,
  { tenant, agent }: Scope,
  conversation: string,
  { from = 0, limit = DEFAULT_LIMIT }: RangeQuery,
): Promise<Page<StoredSummary>> {
  const rows = await reader.rows<SummaryRow>(BY_CONVERSATION, tenant, agent, conversation, limit + 1, from);
  return { rows: rows.slice(0, limit).map(toSummary), next: rows.length > limit ? from + limit : null };
}

export async function readOutlines(
  reader: Reader,
  { tenant, agent }: Scope,
  conversation: string,
  { from = 0, limit = DEFAULT_LIMIT }: RangeQuery,
): Promise<Page<SummaryOutline>> {
  const rows = await reader.rows<OutlineRow>(OUTLINES, tenant, agent, conversation, limit + 1, from);
  return { rows: rows.slice(0, limit).map(toOutline), next: rows.length > limit ? from + limit : null };
}

function toSummary(row: SummaryRow): StoredSummary {
  const sources: unknown[] = JSON.parse(row.sourceList);
  return {
    ...factsOf(row),
    merkleRoot: row.merkleRoot,
    contentHash: row.contentHash,
    content: row.bytes === null ? null : decodeLeniently(originalBytes(row.encoding, row.bytes)),
    sources:
      row.kind === "leaf"
        ? { type: "messages", seqs: (sources as number[]).sort((a, b) => a - b) }
        : { type: "summaries", ids: sources as string[] },
  };
}
