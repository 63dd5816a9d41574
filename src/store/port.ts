/**
 * The interface between tables and writes and a database of either kind. On SQLite a call is answered immediately, in the
 * thread that owns the connection; on PostgreSQL calls that are made without waiting in between are sent together.
 */
import type { Scope } from "../types.ts";
import type { Columns, Insert, RowFor } from "./insert.ts";
import type {
  DropVectorsWrite,
  MemoryRef,
  PassageVectors,
  PruneVectorsWrite,
  VectorWrite,
} from "./memory-store.ts";
import type { RowList } from "./row-list.ts";
import type { MemoryScopes } from "./rules/memory-scopes.ts";
import type { Dialect, Statement } from "./statement.ts";

/** Lists are passed as one parameter: see `Dialect.list`. A list of rows comes last: see `Dialect.rows`. */
export type Value =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly string[]
  | readonly number[]
  | RowList;

export interface Reader {
  readonly dialect: Dialect;
  rows<Row extends object>(statement: Statement, ...values: readonly Value[]): Promise<Row[]>;
  one<Row extends object>(statement: Statement, ...values: readonly Value[]): Promise<Row | undefined>;
}

/** Contents of files, which each engine stores in its own way. Part of the transaction. */
export interface Contents {
  /** Stores contents by their hashes, unless they exist. Returns which of `given` are stored. */
  put(
    scope: Scope,
    contents: ReadonlyMap<string, Uint8Array>,
    given: readonly string[],
  ): Promise<ReadonlySet<string>>;
  /** The same, but also writes contents again that exist and are damaged. */
  renew(scope: Scope, contents: ReadonlyMap<string, Uint8Array>): Promise<void>;
  /** The whole original of a message; null once erased. */
  original(held: HeldConversation, conversation: string, seq: number): Promise<string | Uint8Array | null>;
  /** Stores a content that comes in pieces. */
  startWriting(scope: Scope): ContentWriting;
  /** Removes contents that nothing refers to any more. */
  dropUnreferenced(scope: Scope, hashes: readonly string[]): Promise<void>;
}

export interface ContentWriting {
  add(piece: Uint8Array): Promise<void>;
  /** Stores the content, unless it exists, and returns its hash. */
  end(): Promise<string>;
  /** Call this instead of `end` after an error. */
  abandon(): void;
}

/** Memory data that each engine stores in its own way: vectors, their sign bits, and locks. Part of the transaction. */
export interface MemoryExtras {
  /** Writers of memories share the tenant's lock; an erasure or a load holds it alone. */
  lockTenant(tenant: string, mode: "shared" | "alone"): void;
  /** For memories that have no vectors yet. */
  insertVectors(tenant: string, placed: readonly PlacedVectors[]): Promise<void>;
  /** Returns whether the memory exists and still has text. */
  replaceVectors(access: MemoryScopes, write: VectorWrite): Promise<boolean>;
  dropVectors(access: MemoryScopes, write: DropVectorsWrite): void;
  /** Returns how many vectors there were. */
  pruneVectors(access: MemoryScopes, write: PruneVectorsWrite): Promise<number>;
  /** Updates copies of the active flag that searches use. */
  markInForce(tenant: string, refs: readonly MemoryRef[], isActive: boolean): void;
  /** Replaces the tags of a memory, unless they are part of its row. */
  replaceTags(tenant: string, ref: MemoryRef, tags: readonly string[]): void;
  /** Removes data of erased memories that only this engine stores. */
  drop(tenant: string, refs: readonly MemoryRef[]): void;
}

export interface PlacedVectors {
  readonly ref: MemoryRef;
  readonly isActive: boolean;
  readonly vectors: PassageVectors;
}

/** Data derived from messages that each engine stores in its own way. Part of the transaction. */
export interface Derived {
  /** Removes the vectors of messages. */
  dropVectors(held: HeldConversation, seqs: readonly number[]): void;
  /** Removes data of a deleted conversation that only this engine stores: vectors, progress, locks. */
  dropAll(held: HeldConversation): void;
  /** Lets one writer at a time change the search index of a scope. Conversations are locked before, never after. */
  lockIndex(scope: Scope): void;
}

/** Inside a transaction. A call that fails fails the transaction, even if nothing awaits it. */
export interface Port extends Reader {
  readonly contents: Contents;
  readonly derived: Derived;
  readonly memories: MemoryExtras;
  /** Returns how many rows a statement changed. */
  run(statement: Statement, ...values: readonly Value[]): Promise<number>;
  /** The same without a result. */
  send(statement: Statement, ...values: readonly Value[]): void;
  /** Waits until all sent statements have been answered. */
  settle(): Promise<void>;
  /** A text that is shown, not compared, as this engine can store it. */
  shown(text: string): string;
  shown(text: string | null): string | null;
  /** A content from `encodeContent` in the form that this engine takes. */
  content(stored: string | Uint8Array | null): string | Uint8Array | null;
  insert<Of extends Columns>(insert: Insert<Of>, owner: Owner, rows: readonly RowFor<Of>[]): void;
}

/** The tenant, and the row id of the owner if it is a conversation or a segment. */
export type Owner = readonly [tenant: string, id?: number];

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
