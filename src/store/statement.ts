/**
 * A statement of SQL that both engines run, written once. What they say differently comes from a dialect. Parameters
 * are `$1`, `$2`, …; in statements about a conversation `$1` is the tenant and `$2` the conversation's row id. Every table
 * that a statement reads is compared with the tenant parameter itself, so that a server which distributes rows by
 * tenant can send the statement to one shard.
 */
import type { EngineName } from "./store.ts";

/** The places where the engines need different words for the same thing. */
export interface Dialect extends MemoryDialect {
  readonly engine: EngineName;
  /** Rows of `table` that belong to a conversation; `of` is an expression for its row id. */
  conversation(table: string, of?: string): string;
  /** The conversation with a public id, in whatever scope it must be unique. */
  anyConversation(uid: string): string;
  /** Rows of `table` that belong to the tenant, for a statement that finds them through a conversation. */
  sameTenant(table: string): string;
  /** The columns that say whose a row is, and their values, for an INSERT that selects its rows. */
  readonly ownerColumns: string;
  readonly ownerValues: string;
  /** The tenant alone, with a comma after it, where the row has one. */
  readonly tenantValue: string;
  /** A time that is given as a parameter. */
  time(parameter: string): string;
  /** A text that is given as a parameter, where its type does not follow from what it is compared with. */
  text(parameter: string): string;
  /** A number that is given as a parameter, where its type does not follow from what it is compared with. */
  bigint(parameter: string): string;
  /** The column by which other tables name a message. The table of messages has it too. */
  readonly messageColumn: string;
  /** The columns that identify a row of `context_exclusions`. */
  readonly exclusionKey: string;
  /** The row or rows of `table` that belong to the message with this seq. */
  message(table: string, seq: string, of?: string): string;
  /** Rows of `table` that belong to the messages from `first` to `last`. */
  messages(table: string, first: string, last: string, of?: string): string;
  /** Rows of `table` that belong to any message of the conversation. */
  allMessages(table: string): string;
  /** Rows of `table` that belong to messages whose seqs are in a list. */
  listedMessages(table: string, parameter: string): string;
  /** The seq of the message that a row of `table` belongs to; not for the table of messages, which has it as a column. */
  seq(table: string): string;
  /** Rows of `table` that belong to the same message as those of `other`. */
  sameMessage(table: string, other: string): string;
  /** A parameter that holds a list, as a row source with the columns `value` and `key`, its place. */
  list(parameter: string, type: ListType, alias: string): string;
  /** Whether `column` has one of the values of a list. */
  isListed(column: string, parameter: string, type: ListType): string;
  /** Joins rows of `table` to those before it, and looks for them in this order. */
  join(table: string, alias: string, condition: string): string;
  /** Joins the row of `table` that meets `condition`, by one lookup for each row before it; or so many rows at most. */
  each(table: string, alias: string, condition: string, most?: number): string;
  /** The same, with nulls where there is none. */
  maybe(table: string, alias: string, condition: string): string;
  /** A stored content, always as bytes. */
  contentBytes(column: string): string;
  /** Bytes as hexadecimal text. */
  hex(column: string): string;
  /** Bytes that are written out in the statement, given as hexadecimal text. */
  bytes(hex: string): string;
  /** The same of a column that may be null. */
  hexOrNull(column: string): string;
  /** Before every time. An index on times names it in its condition. */
  readonly earliest: string;
  /** JSON text of a list with one `value` for each row of `source`. Without `order` in any order, and faster. */
  jsonList(value: string, source: string, order?: string): string;
  /** JSON text of a list with one list of `columns` for each row of `source`. The same holds for `order`. */
  jsonRows(columns: string, source: string, order?: string): string;
  /** Ends a SELECT that keeps its rows from being changed by others. */
  readonly forUpdate: string;
  /**
   * Locks the one conversation that `select` finds, and remembers it as `held` for statements of this transaction that are
   * sent before its id is known.
   */
  hold(select: string): string;
  readonly held: string;
  /** Sets the stored size of a content, where the engine keeps it, to 0: part of a SET list, with a comma before it. */
  readonly withoutSize: string;
  /** The same for a row that takes the content of another one by `ON CONFLICT`. */
  readonly takeSize: string;
}

type ListType = "text" | "bigint";

export class Statement {
  readonly #write: (dialect: Dialect) => string;
  readonly #texts = new Map<Dialect, string>();

  constructor(write: (dialect: Dialect) => string) {
    this.#write = write;
  }

  in(dialect: Dialect): string {
    let text = this.#texts.get(dialect);
    if (text === undefined) {
      text = this.#write(dialect);
      this.#texts.set(dialect, text);
    }
    return text;
  }
}

const statements: Statement[] = [];

export function statement(write: (dialect: Dialect) => string): Statement {
  const made = new Statement(write);
  statements.push(made);
  return made;
}

/** Every statement that was defined so far: a test looks at their texts. */
export function allStatements(): readonly Statement[] {
  return statements;
}

/** The row id of the conversation with the public id `$3` in the scope (`$1`, `$2`). Reads by public id start here. */
export const CONVERSATION_ID =
  "(SELECT conversation_id FROM conversations WHERE tenant = $1 AND agent = $2 AND uid = $3)";

/** The order of an aggregate's rows, if any. */
export function inOrder(order: string | undefined): string {
  return order === undefined ? "" : ` ORDER BY ${order}`;
}

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
