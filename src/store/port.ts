/**
 * What tables and writes ask of a database, whichever it is. On SQLite a call is answered at once, in the thread that
 * owns the connection; on PostgreSQL calls that are made without waiting in between travel together.
 */
import type { Scope } from "../types.ts";
import type { Columns, Insert, RowFor } from "./insert.ts";
import type { ErasedMemories } from "./rules/freed-by-erasure.ts";
import type { Statement } from "./statement.ts";
import type { DumpRow } from "./store.ts";

/** Lists go as one parameter: see `Dialect.list`. */
export type Value = string | number | boolean | null | Uint8Array | readonly string[] | readonly number[];

export interface Reader {
  rows<Row extends object>(statement: Statement, ...values: readonly Value[]): Promise<Row[]>;
  one<Row extends object>(statement: Statement, ...values: readonly Value[]): Promise<Row | undefined>;
}

/** Contents of files, which each engine keeps in its own way. Part of the transaction. */
export interface Contents {
  /** Puts in contents by their hashes, unless they are there. Answers with what is on record of `given`. */
  put(
    scope: Scope,
    contents: ReadonlyMap<string, Uint8Array>,
    given: readonly string[],
  ): Promise<ReadonlySet<string>>;
  /** The whole original of a message; null once erased. */
  original(held: HeldConversation, conversation: string, seq: number): Promise<string | Uint8Array | null>;
  /** Takes in a content that comes in pieces. */
  startWriting(scope: Scope): ContentWriting;
  /** Removes those that nothing refers to any more. */
  dropUnreferenced(scope: Scope, hashes: readonly string[]): Promise<void>;
}

export interface ContentWriting {
  add(piece: Uint8Array): Promise<void>;
  /** Keeps the content, unless it is there, and answers with its hash. */
  end(): Promise<string>;
  /** To be called instead of `end` when something went wrong. */
  abandon(): void;
}

/** Memories of a dump on their way in. */
export interface MemoryLoading {
  take(row: Extract<DumpRow, { row: "memory" | "decision" | "capture" }>): Promise<void>;
  end(): Promise<void>;
  /** Memories that were not on record before. */
  readonly added: number;
}

/** What was made from messages and is kept by each engine in its own way. Part of the transaction. */
export interface Derived {
  /** Removes the vectors of messages. */
  dropVectors(held: HeldConversation, seqs: readonly number[]): void;
  /** Removes what this engine alone keeps of a conversation that is deleted: vectors, progress, locks. */
  dropAll(held: HeldConversation): void;
  /** Erases the memories that came from messages of a conversation; null: from any of them, as it is deleted. */
  eraseMemories(
    scope: Scope,
    conversation: string,
    seqs: readonly number[] | null,
    at: string,
  ): Promise<ErasedMemories>;
  loadMemories(): MemoryLoading;
  /** Lets one at a time change the search index of a scope. Conversations are locked before, never after. */
  lockIndex(scope: Scope): void;
}

/** Inside a transaction. A call that fails fails the transaction, also when nobody waited for it. */
export interface Port extends Reader {
  readonly contents: Contents;
  readonly derived: Derived;
  /** How many rows a statement changed. */
  run(statement: Statement, ...values: readonly Value[]): Promise<number>;
  /** The same, for whoever does not need to know. */
  send(statement: Statement, ...values: readonly Value[]): void;
  /** Waits until everything that was sent has been answered. */
  settle(): Promise<void>;
  /** A text that is shown, not compared, as this engine can store it. */
  shown(text: string): string;
  shown(text: string | null): string | null;
  /** A content as `encodeContent` gives it, as this engine takes it. */
  content(stored: string | Uint8Array | null): string | Uint8Array | null;
  insert<Of extends Columns>(insert: Insert<Of>, owner: Owner, rows: readonly RowFor<Of>[]): void;
}

/** The tenant and the row id of what rows belong to, a conversation or a segment. */
export type Owner = readonly [tenant: string, id: number];

/** A conversation that the transaction has locked. Its statements get the tenant as `$1` and the conversation as `$2`. */
export class HeldConversation {
  readonly port: Port;
  readonly scope: Scope;
  readonly id: number;

  constructor(port: Port, scope: Scope, id: number) {
    this.port = port;
    this.scope = scope;
    this.id = id;
  }

  rows<Row extends object>(statement: Statement, ...values: readonly Value[]): Promise<Row[]> {
    return this.port.rows<Row>(statement, this.scope.tenant, this.id, ...values);
  }

  one<Row extends object>(statement: Statement, ...values: readonly Value[]): Promise<Row | undefined> {
    return this.port.one<Row>(statement, this.scope.tenant, this.id, ...values);
  }

  run(statement: Statement, ...values: readonly Value[]): Promise<number> {
    return this.port.run(statement, this.scope.tenant, this.id, ...values);
  }

  send(statement: Statement, ...values: readonly Value[]): void {
    this.port.send(statement, this.scope.tenant, this.id, ...values);
  }

  insert<Of extends Columns>(insert: Insert<Of>, rows: readonly RowFor<Of>[]): void {
    if (rows.length > 0) this.port.insert(insert, [this.scope.tenant, this.id], rows);
  }
}
