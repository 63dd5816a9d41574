/** The source messages of memories. An erasure of messages finds the memories made from them here. */
import type { MemorySource } from "../../memory-types.ts";
import { insertInto } from "../insert.ts";
import type { MemoryRef, StoredMemory } from "../memory-store.ts";
import type { Port, Reader } from "../port.ts";
import { rowList } from "../row-list.ts";
import { sealedTable } from "../sealed-table.ts";
import { statement } from "../statement.ts";
import { refList } from "./memory-refs.ts";

export const SEALED_SOURCES = sealedTable(
  "memory_sources",
  { ordinal: "integer", conversation_uid: "text", first_seq: "bigint", last_seq: "bigint", kind: "text" },
  "memory",
  { ordinal: 0 },
);
const INSERT = insertInto(
  "memory_sources",
  { scope: "scope", number: "memory", ...SEALED_SOURCES.columns },
  { owner: "memory", sealed: SEALED_SOURCES },
);

type WithSources = MemoryRef & { readonly sources: readonly MemorySource[] };

export function insertSources(port: Port, tenant: string, memories: readonly WithSources[]): void {
  const rows = memories.flatMap(({ scope, number, sources }) =>
    sources.map(({ conversation, firstSeq, lastSeq, kind }, ordinal) => ({
      scope,
      number,
      ordinal,
      conversation_uid: conversation,
      first_seq: firstSeq,
      last_seq: lastSeq,
      kind,
    })),
  );
  if (rows.length > 0) port.insert(INSERT, [tenant], rows);
}

const DROP = statement((d) => `DELETE FROM memory_sources WHERE ${d.listedMemories("memory_sources", "$2")}`);

export function dropSources(port: Port, tenant: string, refs: readonly MemoryRef[]): void {
  port.send(DROP, tenant, refList(refs));
}

export function replaceSources(port: Port, tenant: string, memory: StoredMemory): void {
  dropSources(port, tenant, [memory]);
  insertSources(port, tenant, [memory]);
}

/** A row that refers to messages of a conversation: the source of a memory, or a decision. */
interface MadeFromRow {
  /** For a source: the scope of the memory. */
  readonly scope: string | null;
  readonly number: number | null;
  readonly ordinal: number | null;
  readonly uid: string | null;
  readonly kind: MemorySource["kind"] | null;
  readonly decision: number | null;
  readonly firstSeq: number | null;
  readonly lastSeq: number | null;
}

const MADE_FROM_CONVERSATION = statement((d) => {
  const memories = d.join("memories", "m", d.sameMemory("m", "o"));
  return `SELECT ${d.scope("o")} AS scope, ${d.number("o")} AS number, o.ordinal, m.uid, o.kind, NULL AS decision,
      o.first_seq AS "firstSeq", o.last_seq AS "lastSeq"
    FROM memory_sources o ${memories} WHERE ${d.inScopes("o")} AND o.conversation_uid = $2
    UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, decision_id, first_seq, last_seq FROM memory_decisions
    WHERE tenant = $1 AND conversation_uid = $2`;
});

/** All rows that refer to messages of the conversation, in one statement. */
export function madeFromConversation(
  reader: Reader,
  tenant: string,
  conversation: string,
): Promise<MadeFromRow[]> {
  return reader.rows<MadeFromRow>(MADE_FROM_CONVERSATION, tenant, conversation);
}

const DROP_LISTED = statement((d) => {
  const gone = d.rows("$2", "gone", { scope: "text", number: "bigint", ordinal: "bigint" });
  return `DELETE FROM memory_sources WHERE ${d.sameTenant("memory_sources")}
    AND (${d.memoryKey("memory_sources.")}, memory_sources.ordinal) IN (
      SELECT ${d.memoryKey("o.")}, o.ordinal FROM ${gone}
      ${d.each("memory_sources", "o", `${d.memory("o", "gone.scope", "gone.number")} AND o.ordinal = gone.ordinal`)})`;
});

const UNCOUNT = statement(
  (d) => `UPDATE memories SET source_count = source_count - gone.sources
    FROM ${d.rows("$2", "gone", { scope: "text", number: "bigint", sources: "bigint" })}
    WHERE ${d.memory("memories", "gone.scope", "gone.number")} AND memories.erased_at IS NULL`,
);

/** Sources of erased memories are already deleted, and no longer counted. */
export function dropListedSources(port: Port, tenant: string, rows: readonly MadeFromRow[]): void {
  if (rows.length === 0) return;
  const counted = rowList(
    [...Map.groupBy(rows, ({ scope, number }) => JSON.stringify([scope, number])).values()],
    ([row]) => row?.scope ?? null,
    ([row]) => row?.number ?? null,
    (own) => own.length,
  );
  port.send(UNCOUNT, tenant, counted);
  const gone = rowList(
    rows,
    ({ scope }) => scope,
    ({ number }) => number,
    ({ ordinal }) => ordinal,
  );
  port.send(DROP_LISTED, tenant, gone);
}
