/**
 * The words of a dialect for long-term memory. PostgreSQL names a memory by its tenant, scope and number in every table;
 * SQLite by one row id, which is made from the row id of the scope and the number. `$1` is the tenant.
 */
export interface MemoryDialect {
  /**
   * Rows that are given as a `RowList`, which is the last value of the statement, as a row source with these columns
   * and `key`, their place. PostgreSQL takes one parameter for each column, from this one on.
   */
  rows(parameter: string, alias: string, columns: Readonly<Record<string, RowColumn>>): string;
  /** Whether `column` has one of the texts of a list; true for all where the list is null. */
  among(column: string, parameter: string): string;
  /** The columns that name a memory, in its own table and in those of what belongs to it. */
  memoryKey(prefix?: string): string;
  /** The columns that name a scope, in the tables of scopes and of segments. */
  scopeKey(prefix?: string): string;
  /** Rows of `table` that belong to the memory with this number in this scope, both expressions. */
  memory(table: string, scope: string, number: string): string;
  /** Rows of `table` that belong to the same memory as those of `other`. */
  sameMemory(table: string, other: string): string;
  /** Rows of `table` that belong to memories of a list of scopes and numbers. */
  listedMemories(table: string, parameter: string): string;
  /** The scope, and the number, of the memory that a row of `table` belongs to. */
  scope(table: string): string;
  number(table: string): string;
  /** Rows of `table` that belong to memories of listed scopes of the tenant; of all its scopes where the list is null. */
  inScopes(table: string, parameter?: string): string;
  /** Rows of `table` that belong to memories of the scope of a row of `memory_scopes`, with numbers of this range. */
  ofScope(table: string, scope: string, first?: string, last?: string): string;
  /** Rows of `table` with the same scope as those of `other`; both are scopes, memories or segments. */
  sameScope(table: string, other: string): string;
  /** The first so many memories of the scopes listed as `$2` that meet `condition`, as a row source `m`. */
  firstMemories(condition: string, order: string, limit: string): string;
  /** Names of the memories of all tenants that come after the one given as `$1`, `$2`, `$3`, at most `$4`. */
  readonly memoriesAfter: string;
  /** Ids of memories whose row id does not agree with their scope and number. */
  readonly misplacedMemories: string;
  /** An object of JSON with these values. */
  jsonObject(fields: Readonly<Record<string, string>>): string;
  /** A list of JSON with `value` for each row of `source`, as part of an object of JSON. */
  nestedList(value: string, source: string, order: string): string;
  /** A number to all its digits, a time, or a text that is JSON itself, as part of an object of JSON. */
  json(column: string, type: "number" | "time" | "json"): string;
  /** The column that the events of a memory are in order by. */
  readonly eventColumn: string;
  /** The tags of a memory as a list of JSON. SQLite has them in a table of their own. */
  tags(memory: string): string;
  /** Whether a memory has all the tags of a list; true where the list is null. */
  hasTags(memory: string, parameter: string): string;
  /** Sets the tags of a memory where they are a column: part of a SET list, with a comma before it. */
  setTags(value: string): string;
}

type RowColumn = "text" | "bigint" | "timestamptz";
