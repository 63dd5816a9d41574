/**
 * A SQL statement that both engines run, written once. A dialect supplies the parts that differ. Parameters are `$1`, `$2`,
 * …; in statements about a conversation `$1` is the tenant and `$2` the conversation's row id. Every table that a statement
 * reads is compared with the tenant parameter itself, so that a server which distributes rows by tenant can send the
 * statement to one shard.
 */
import type { EngineName } from "./store.ts";

/** The parts of statements that differ between the engines. */
export interface Dialect extends MemoryDialect {
  readonly engine: EngineName;
  /** Rows of `table` that belong to a conversation; `of` is an expression for its row id. */
  conversation(table: string, of?: string): string;
  /** The conversation with a public id, in the scope in which the id must be unique. */
  anyConversation(uid: string): string;
  /** Rows of `table` that belong to the tenant, for a statement that finds them through a conversation. */
  sameTenant(table: string): string;
  /** The columns that identify a row's owner, and their values, for an INSERT that selects its rows. */
  readonly ownerColumns: string;
  readonly ownerValues: string;
  /** The tenant alone, followed by a comma, if the row has one. */
  readonly tenantValue: string;
  /** A time that is given as a parameter. */
  time(parameter: string): string;
  /** A text parameter whose type does not follow from a comparison. */
  text(parameter: string): string;
  /** A number parameter whose type does not follow from a comparison. */
  bigint(parameter: string): string;
  /** The column in which other tables refer to a message. The table of messages has it too. */
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
  /** A list parameter as a row source with the columns `value` and `key`, its position. */
  list(parameter: string, type: ListType, alias: string): string;
  /** Whether `column` has one of the values of a list. */
  isListed(column: string, parameter: string, type: ListType): string;
  /** Joins rows of `table` to those before it, and looks them up in this order. */
  join(table: string, alias: string, condition: string): string;
  /** Joins the row of `table` that meets `condition`, by one lookup for each row before it; or at most `most` rows. */
  each(table: string, alias: string, condition: string, most?: number): string;
  /** The same, with nulls if there is no row. */
  maybe(table: string, alias: string, condition: string): string;
  /** A stored content, always as bytes. */
  contentBytes(column: string): string;
  /** Bytes as hexadecimal text. */
  hex(column: string): string;
  /** A literal of bytes, given as hexadecimal text. */
  bytes(hex: string): string;
  /** The same for a column that may be null. */
  hexOrNull(column: string): string;
  /** Sorts before every time. An index on times uses it in its condition. */
  readonly earliest: string;
  /** JSON text of a list with one `value` for each row of `source`. Without `order` the order is undefined, and it is faster. */
  jsonList(value: string, source: string, order?: string): string;
  /** JSON text of a list with one list of `columns` for each row of `source`. `order` works in the same way. */
  jsonRows(columns: string, source: string, order?: string): string;
  /** Ends a SELECT that locks its rows against changes. */
  readonly forUpdate: string;
  /**
   * Locks the one conversation that `select` finds, and keeps it as `held` for statements of this transaction that are sent
   * before its id is known.
   */
  hold(select: string): string;
  readonly held: string;
  /** Sets the stored size of a content to 0, if the engine stores it: part of a SET list, with a comma before it. */
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

/** Every statement that was defined so far: a test checks their texts. */
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
 * The memory part of a dialect. PostgreSQL identifies a memory by its tenant, scope and number in every table; SQLite by one
 * row id, which is made from the row id of the scope and the number. `$1` is the tenant.
 */
export interface MemoryDialect {
  /**
   * Rows that are given as a `RowList`, which is the last value of the statement, as a row source with these columns and
   * `key`, their position. PostgreSQL takes one parameter for each column, from this one on.
   */
  rows(parameter: string, alias: string, columns: Readonly<Record<string, RowColumn>>): string;
  /** Whether `column` has one of the texts of a list; true for all if the list is null. */
  among(column: string, parameter: string): string;
  /** The columns that identify a memory, in its own table and in those that refer to it. */
  memoryKey(prefix?: string): string;
  /** The columns that identify a scope, in the tables of scopes and of segments. */
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
  /** Rows of `table` that belong to memories of listed scopes of the tenant; of all its scopes if the list is null. */
  inScopes(table: string, parameter?: string): string;
  /** Rows of `table` that belong to memories of the scope of a row of `memory_scopes`, with numbers of this range. */
  ofScope(table: string, scope: string, first?: string, last?: string): string;
  /** Rows of `table` with the same scope as those of `other`; both are scopes, memories or segments. */
  sameScope(table: string, other: string): string;
  /** The first `limit` memories of the scopes listed as `$2` that meet `condition`, as a row source `m`. */
  firstMemories(condition: string, order: string, limit: string): string;
  /** Keys of the memories of all tenants that come after the one given as `$1`, `$2`, `$3`, at most `$4`. */
  readonly memoriesAfter: string;
  /** Ids of memories whose row id does not agree with their scope and number. */
  readonly misplacedMemories: string;
  /** A JSON object with these values. */
  jsonObject(fields: Readonly<Record<string, string>>): string;
  /** A JSON list with `value` for each row of `source`, as part of a JSON object. */
  nestedList(value: string, source: string, order: string): string;
  /** A number with all its digits, a time, or a text that is itself JSON, as part of a JSON object. */
  json(column: string, type: "number" | "time" | "json"): string;
  /** The column that orders the events of a memory. */
  readonly eventColumn: string;
  /** The tags of a memory as a JSON list. SQLite has them in a separate table. */
  tags(memory: string): string;
  /** Whether a memory has all the tags of a list; true if the list is null. */
  hasTags(memory: string, parameter: string): string;
  /** Sets the tags of a memory if they are a column: part of a SET list, with a comma before it. */
  setTags(value: string): string;
}

type RowColumn = "text" | "bigint" | "timestamptz";
