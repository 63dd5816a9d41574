/** The ordered list that the model sees. Every change also updates the counters of the conversation's row. */
import type { Scope } from "../../types.ts";
import { insertInto } from "../insert.ts";
import type { HeldConversation, Reader } from "../port.ts";
import type { NewContextItem } from "../rules/context-item.ts";
import { type Counts, countItems } from "../rules/counts.ts";
import { CONVERSATION_ID, type Dialect, statement } from "../statement.ts";
import { type ContextItem, ORDINAL_GAP, type Page, type RangeQuery } from "../store.ts";
import { DEFAULT_LIMIT, END, pageOf } from "./pages.ts";

const INSERT = insertInto("context_items", {
  ordinal: "bigint",
  item_type: "text",
  seq: "message",
  summary_number: "bigint",
  token_count: "integer",
  stub_token_count: "integer",
});

export function insertContextItems(held: HeldConversation, items: readonly NewContextItem[]): void {
  held.insert(
    INSERT,
    items.map(({ ordinal, seq, summaryNumber, tokenCount, stubTokenCount }) => ({
      ordinal,
      item_type: seq === null ? "summary" : "message",
      seq,
      summary_number: summaryNumber,
      token_count: tokenCount,
      stub_token_count: stubTokenCount,
    })),
  );
}

type CountedRow = { readonly token_count: number; readonly stub_token_count: number | null };

function countRows(rows: readonly CountedRow[]): Counts {
  return countItems(
    rows.map(({ token_count, stub_token_count }) => ({
      tokenCount: token_count,
      stubTokenCount: stub_token_count,
    })),
  );
}

const PLACE_MESSAGES = statement(
  (d) => `INSERT INTO context_items (${d.ownerColumns}, ordinal, item_type, ${d.messageColumn}, token_count,
      stub_token_count)
    SELECT ${d.ownerValues}, m.seq * ${ORDINAL_GAP}, 'message', m.${d.messageColumn}, m.token_count, m.stub_token_count
    FROM messages m WHERE ${d.listedMessages("m", "$3")} AND m.erased_at IS NULL
    ON CONFLICT DO NOTHING RETURNING token_count, stub_token_count`,
);

/** Inserts messages at their positions unless these are occupied. Returns what was added. */
export async function placeMessages(held: HeldConversation, seqs: readonly number[]): Promise<Counts> {
  return countRows(await held.rows<CountedRow>(PLACE_MESSAGES, seqs));
}

const PLACE_SUMMARIES = statement(
  (d) => `INSERT INTO context_items (${d.ownerColumns}, ordinal, item_type, summary_number, token_count)
    SELECT ${d.ownerValues}, s.first_seq * ${ORDINAL_GAP}, 'summary', s.summary_number, s.token_count
    FROM summaries s WHERE ${d.conversation("s")} AND ${d.isListed("s.summary_id", "$3", "text")}
    ON CONFLICT DO NOTHING`,
);

/** Inserts summaries at their positions unless these are occupied. The caller then recounts the context. */
export function placeSummaries(held: HeldConversation, ids: readonly string[]): void {
  if (ids.length > 0) held.send(PLACE_SUMMARIES, ids);
}

const DROP = statement(
  (d) => `DELETE FROM context_items WHERE ${d.conversation("context_items")}
    AND ${d.isListed("ordinal", "$3", "bigint")}`,
);

export function dropContextItems(held: HeldConversation, ordinals: readonly number[]): void {
  if (ordinals.length > 0) held.send(DROP, ordinals);
}

const DROP_MESSAGES = statement(
  (d) => `DELETE FROM context_items WHERE ${d.conversation("context_items")}
      AND ${d.isListed("ordinal", "$3", "bigint")} AND item_type = 'message'
    RETURNING token_count, stub_token_count`,
);

/** Removes messages from the context. Returns what was removed. */
export async function dropMessageItems(held: HeldConversation, seqs: readonly number[]): Promise<Counts> {
  const ordinals = seqs.map((seq) => seq * ORDINAL_GAP);
  return countRows(await held.rows<CountedRow>(DROP_MESSAGES, ordinals));
}

const RECOUNT = statement(
  (d) => `UPDATE conversations SET (context_items, context_tokens, context_stub_tokens) =
      (SELECT count(*), coalesce(sum(c.token_count), 0), coalesce(sum(coalesce(c.stub_token_count, c.token_count)), 0)
       FROM context_items c WHERE ${d.conversation("c")})
    WHERE tenant = $1 AND conversation_id = $2`,
);

/** Recounts the context. */
export function recountContext(held: HeldConversation): void {
  held.send(RECOUNT);
}

export type ItemRow = {
  readonly ordinal: number;
  readonly seq: number | null;
  readonly summary_number: number | null;
  readonly token_count: number;
  readonly stub_token_count: number | null;
};

const itemColumns = (d: Dialect) =>
  `c.ordinal, ${d.seq("c")} AS seq, c.summary_number, c.token_count, c.stub_token_count`;

const BETWEEN = statement(
  (d) => `SELECT ${itemColumns(d)} FROM context_items c
    WHERE ${d.conversation("c")} AND c.ordinal BETWEEN $3 AND $4 ORDER BY c.ordinal`,
);

export function itemsBetween(held: HeldConversation, first: number, last: number): Promise<ItemRow[]> {
  return held.rows<ItemRow>(BETWEEN, first, last);
}

const OF_SUMMARY = statement(
  (d) => `SELECT ${itemColumns(d)} FROM summaries s
    ${d.join("context_items", "c", `${d.conversation("c")} AND c.ordinal = s.first_seq * ${ORDINAL_GAP} AND c.summary_number = s.summary_number`)}
    WHERE ${d.conversation("s")} AND s.summary_id = $3 AND s.merkle_root = $4`,
);

/** The item of a summary that was made from sources with this root, if it is shown. */
export function itemOfSummary(held: HeldConversation, id: string, root: string): Promise<ItemRow[]> {
  return held.rows<ItemRow>(OF_SUMMARY, id, Buffer.from(root, "hex"));
}

const READ = statement(
  (d) => `SELECT c.ordinal, ${d.seq("c")} AS seq, c.token_count, s.summary_id FROM (
      SELECT * FROM context_items WHERE ${d.conversation("context_items", CONVERSATION_ID)}
        AND ordinal BETWEEN $4 AND $5 ORDER BY ordinal LIMIT $6) c
    ${d.maybe("summaries", "s", `${d.conversation("s", "c.conversation_id")} AND s.summary_number = c.summary_number`)}
    ORDER BY c.ordinal`,
);

type ReadRow = Pick<ItemRow, "ordinal" | "seq" | "token_count"> & { readonly summary_id: string | null };

export async function readContextItems(
  reader: Reader,
  { tenant, agent }: Scope,
  conversation: string,
  { from = 0, to = END, limit = DEFAULT_LIMIT }: RangeQuery,
): Promise<Page<ContextItem>> {
  const rows = await reader.rows<ReadRow>(READ, tenant, agent, conversation, from, to, limit + 1);
  const page = pageOf(rows, limit, (row) => row.ordinal);
  return { rows: page.rows.map(toItem), next: page.next };
}

function toItem({ ordinal, seq, summary_id, token_count }: ReadRow): ContextItem {
  if (seq === null) return { ordinal, type: "summary", summary: summary_id ?? "", tokenCount: token_count };
  return { ordinal, type: "message", seq, tokenCount: token_count };
}

const TAKE_COUNTS = statement(
  (d) => `UPDATE context_items SET token_count = m.token_count, stub_token_count = m.stub_token_count
    FROM messages m
    WHERE ${d.conversation("context_items")} AND ${d.isListed("context_items.ordinal", "$3", "bigint")}
      AND context_items.item_type = 'message' AND ${d.sameMessage("m", "context_items")}
      AND (context_items.token_count <> m.token_count
        OR context_items.stub_token_count IS DISTINCT FROM m.stub_token_count)`,
);

/** Messages that a dump brings as items only get their token counts, also as stubs, from their rows. */
export function takeCounts(held: HeldConversation, seqs: readonly number[]): void {
  if (seqs.length === 0) return;
  held.send(
    TAKE_COUNTS,
    seqs.map((seq) => seq * ORDINAL_GAP),
  );
}
