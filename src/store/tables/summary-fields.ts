/**
 * The fields of a summary and the columns that hold them. Writing, reading, erasing and the archive follow from this
 * table, and the compiler demands that no field of `Summary` is missing. The text of a summary is not in it, because it
 * is stored in three columns: `encoding`, `content` and `content_size`.
 */
import type { Summary } from "../../types.ts";
import type { ColumnType } from "../insert.ts";

export type SummaryField = Exclude<keyof Summary, "conversation" | "content">;

interface FieldColumn {
  readonly column: string;
  readonly type:
    | Extract<ColumnType, "text" | "shown" | "time" | "hash" | "bigint" | "integer" | "real">
    | "json";
  readonly isNullable?: true;
  /** What remains of it after an erasure, in SQL. Given for every column from which the text could be guessed. */
  readonly erased?: string;
  /** Archives of earlier versions lack it; it is null there. */
  readonly isMissingInOldArchives?: true;
}

export interface SummaryColumn extends FieldColumn {
  readonly name: SummaryField;
}

/** Ties a column to the type of its field: its values, and whether it may be null. */
type ColumnFor<Value> = FieldColumn & { readonly type: TypeFor<NonNullable<Value>> } & (null extends Value
    ? { readonly isNullable: true }
    : { readonly isNullable?: never; readonly isMissingInOldArchives?: never });
type TypeFor<Value> = Value extends string
  ? "text" | "shown" | "time" | "hash"
  : Value extends number
    ? "bigint" | "integer" | "real"
    : "json";

const SUMMARY_FIELDS = {
  id: { column: "summary_id", type: "text" },
  kind: { column: "kind", type: "text" },
  depth: { column: "depth", type: "integer" },
  tokenCount: { column: "token_count", type: "integer" },
  quality: { column: "quality", type: "text" },
  model: { column: "model", type: "shown", isNullable: true },
  firstSeq: { column: "first_seq", type: "bigint" },
  lastSeq: { column: "last_seq", type: "bigint" },
  earliestAt: { column: "earliest_at", type: "time" },
  latestAt: { column: "latest_at", type: "time" },
  messageCount: { column: "message_count", type: "bigint" },
  sourceTokenCount: { column: "source_token_count", type: "bigint" },
  descendantCount: { column: "descendant_count", type: "bigint" },
  descendantTokenCount: { column: "descendant_token_count", type: "bigint" },
  fileIds: { column: "file_ids", type: "json", erased: "'[]'" },
  fidelity: { column: "fidelity", type: "real", isNullable: true },
  merkleRoot: { column: "merkle_root", type: "hash" },
  contentHash: { column: "content_hash", type: "hash", isNullable: true, erased: "NULL" },
  createdAt: { column: "created_at", type: "time" },
} as const satisfies { readonly [Name in SummaryField]: ColumnFor<Summary[Name]> };

/** Fields that are hashes. They are left out where only facts are requested. */
export type SummaryHash = {
  [Name in SummaryField]: (typeof SUMMARY_FIELDS)[Name]["type"] extends "hash" ? Name : never;
}[SummaryField];

export const SUMMARY_COLUMNS = (Object.keys(SUMMARY_FIELDS) as SummaryField[]).map(
  (name): SummaryColumn => ({ name, ...SUMMARY_FIELDS[name] }),
);
