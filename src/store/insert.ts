/** Rows to insert into a table, as data: each engine writes them in the way that is fastest there. */
import type { SealedTable } from "./sealed-table.ts";
import type { Dialect } from "./statement.ts";

/** The content of a column, which determines how its values are encoded. Most may be null. */
interface ColumnValues {
  readonly text: string | null;
  /** Text that is shown, not compared: characters that PostgreSQL cannot store become a replacement character on both engines. */
  readonly shown: string | null;
  readonly bigint: number | null;
  readonly integer: number | null;
  readonly real: number | null;
  readonly boolean: boolean | null;
  /** ISO 8601 with milliseconds, in UTC. */
  readonly time: string | null;
  /** Hexadecimal text, stored as bytes. */
  readonly hash: string | null;
  readonly bytes: Uint8Array | null;
  /** A content as `encodeContent` gives it. */
  readonly content: string | Uint8Array | null;
  /** The seq of a message of the same conversation. SQLite stores it as the message's row id, in `message_id`. */
  readonly message: number | null;
  /** The same for the table of messages itself. Only SQLite has it. */
  readonly rowid: number;
  /** Size of a content in bytes before it was encoded. Only PostgreSQL has it. */
  readonly size: number;
  /** The agent of the conversation, where a table of PostgreSQL repeats it. */
  readonly agent: string;
  /** The scope of a memory. SQLite stores its row id, in `scope_id`, and only in the table of memories itself. */
  readonly scope: string;
  /** The number of a memory in its scope. SQLite stores it with the scope as the memory's row id, in `memory_id`. */
  readonly memory: number;
  /** Counts up from 1 in a memory. PostgreSQL has an identity column instead. */
  readonly position: null;
  /** A list of tags. SQLite keeps them in a table of their own. */
  readonly tags: readonly string[];
}

export type ColumnType = keyof ColumnValues;
export type Columns = Readonly<Record<string, ColumnType>>;
export type RowFor<Of extends Columns> = { readonly [Name in keyof Of]: ColumnValues[Of[Name]] };

export interface Insert<Of extends Columns = Columns> {
  readonly table: string;
  /**
   * Which columns identify the owner of the rows: the tenant, and the id of a conversation or a segment, both given with the
   * rows. SQLite stores no tenant there, and in tables of a `message` the row id of the message is enough. Rows of a `tenant`
   * and of a `memory` have no such id; a memory is identified by columns of the types `scope` and `memory`.
   */
  readonly owner: "conversation" | "message" | "segment" | "tenant" | "memory";
  readonly columns: Of;
  /** The names of columns in the table, where the rows use other names. */
  readonly names: Readonly<Record<string, string>>;
  /** `ON CONFLICT …`; by default a conflict is an error. */
  readonly onConflict: ((dialect: Dialect) => string) | null;
  /** How the column `seal` is computed, if the table has one. */
  readonly sealed: SealedTable | null;
}

export function insertInto<const Of extends Columns>(
  table: string,
  columns: Of,
  {
    owner = "conversation",
    onConflict = null,
    names = {},
    sealed = null,
  }: Partial<Omit<Insert, "table" | "columns">> = {},
): Insert<Of> {
  return { table, columns, names, owner, onConflict, sealed };
}
