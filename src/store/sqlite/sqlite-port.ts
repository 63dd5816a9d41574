/** The port on SQLite. Statements run synchronously; promises only return the answer. */
import type { SQLInputValue } from "node:sqlite";
import type { Columns, Insert, RowFor } from "../insert.ts";
import type { MemoryRef } from "../memory-store.ts";
import type { Contents, ContentWriting, Derived, MemoryExtras, Owner, Port, Value } from "../port.ts";
import { RowList } from "../row-list.ts";
import { shownText } from "../shown-text.ts";
import type { Statement } from "../statement.ts";
import { dropLock } from "./compaction-locks.ts";
import { dropUnreferenced, isKnown, keepWritten, putContent } from "./contents/file-contents.ts";
import { readOriginal } from "./contents/original-of.ts";
import type { Database } from "./database.ts";
import { SQLITE } from "./dialect.ts";
import { insertRows } from "./insertions.ts";
import { addTags, rowIdsOf } from "./memory-rows.ts";
import { messageRowId } from "./rows.ts";
import { dropFaultyVectors, insertVectors, pruneVectors, replaceVectors } from "./vectors/memory-vectors.ts";
import { dropMessageVectors, dropVectorsOf } from "./vectors/message-vectors.ts";
import { dropVectors } from "./vectors/vectors.ts";

export class SqlitePort implements Port {
  readonly dialect = SQLITE;
  readonly contents: Contents;
  readonly derived: Derived;
  readonly memories: MemoryExtras;
  readonly #database: Database;
  /** The row id of the conversation that was locked last. */
  #held = 0;

  constructor(database: Database) {
    this.#database = database;
    this.contents = {
      put: async (_, contents, given) => {
        for (const [hash, content] of contents) putContent(database, hash, content);
        return new Set(given.filter((hash) => isKnown(database, hash)));
      },
      // An existing content is compared with its hash before it is kept.
      renew: async (_, contents) => {
        for (const [hash, content] of contents) putContent(database, hash, content);
      },
      original: async ({ id }, _, seq) => readOriginal(database, messageRowId(id, seq)),
      startWriting: () => startWriting(database),
      dropUnreferenced: async (_, hashes) => dropUnreferenced(database, hashes),
    };
    this.derived = {
      dropVectors: ({ id }, seqs) => dropMessageVectors(database, id, seqs),
      dropAll: ({ id }) => {
        dropVectorsOf(database, id);
        dropLock(database, id);
      },
      lockIndex: () => {},
    };
    this.memories = memoryExtras(database);
  }

  async rows<Row extends object>(statement: Statement, ...values: readonly Value[]): Promise<Row[]> {
    const { text, values: given } = this.#prepared(statement, values);
    return this.#database.all(text, ...given) as Row[];
  }

  async one<Row extends object>(statement: Statement, ...values: readonly Value[]): Promise<Row | undefined> {
    const { text, values: given } = this.#prepared(statement, values);
    const row = this.#database.one(text, ...given);
    if (row?.held !== undefined) this.#held = Number(row.held);
    return row as Row | undefined;
  }

  async run(statement: Statement, ...values: readonly Value[]): Promise<number> {
    const { text, values: given } = this.#prepared(statement, values);
    return this.#database.run(text, ...given);
  }

  send(statement: Statement, ...values: readonly Value[]): void {
    const { text, values: given } = this.#prepared(statement, values);
    this.#database.send(text, given);
  }

  async settle(): Promise<void> {}

  shown(text: string): string;
  shown(text: string | null): string | null;
  shown(text: string | null): string | null {
    return shownText(text);
  }

  content(stored: string | Uint8Array | null): string | Uint8Array | null {
    return stored;
  }

  insert<Of extends Columns>(insert: Insert<Of>, owner: Owner, rows: readonly RowFor<Of>[]): void {
    insertRows(this.#database, insert, owner, rows);
  }

  /** Without trailing values that are parameters of another engine only. */
  #prepared(
    statement: Statement,
    values: readonly Value[],
  ): { readonly text: string; readonly values: SQLInputValue[] } {
    const { text, parameters, needsHeld } = textOf(statement);
    const given = values.slice(0, parameters).map(toSqlite);
    if (needsHeld) given.push(this.#held);
    return { text, values: given };
  }
}

const ports = new WeakMap<Database, SqlitePort>();

export function portOf(database: Database): SqlitePort {
  let port = ports.get(database);
  if (port === undefined) {
    port = new SqlitePort(database);
    ports.set(database, port);
  }
  return port;
}

function startWriting(database: Database): ContentWriting {
  const writer = database.contents.startWriting();
  return {
    add: async (piece) => writer.add(piece),
    end: async () => keepWritten(database, writer.end()).hash,
    abandon: () => writer.abandon(),
  };
}

interface Prepared {
  readonly text: string;
  readonly parameters: number;
  /** Its last parameter is the held conversation. */
  readonly needsHeld: boolean;
}

const texts = new WeakMap<Statement, Prepared>();

/** SQLite numbers its parameters `?1`; a dollar sign would make them named parameters. */
function textOf(statement: Statement): Prepared {
  let known = texts.get(statement);
  if (known === undefined) {
    const text = statement.in(SQLITE);
    const numbers = Array.from(text.matchAll(/\$(\d+)/g), ([, number]) => Number(number));
    const parameters = Math.max(0, ...numbers);
    known = {
      text: text.replaceAll(SQLITE.held, `?${parameters + 1}`).replaceAll("$", "?"),
      parameters,
      needsHeld: text.includes(SQLITE.held),
    };
    texts.set(statement, known);
  }
  return known;
}

function toSqlite(value: Value): SQLInputValue {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof RowList) return JSON.stringify(value.rows());
  return Array.isArray(value) ? JSON.stringify(value) : (value as SQLInputValue);
}

/**
 * Memory data that SQLite stores in its own way: vectors with their sign bits, and tags, which are in a separate table.
 *
 * One thread writes, in its own transactions, so locks are not needed; searches look up which memories are active.
 */
function memoryExtras(database: Database): MemoryExtras {
  const rowIds = (tenant: string, refs: readonly MemoryRef[]) =>
    rowIdsOf(database, { tenant, scopes: null }, refs).flatMap((id) => id ?? []);
  const dropTags = (ids: readonly number[]) =>
    database.run(
      "DELETE FROM memory_tags WHERE memory_id IN (SELECT value FROM json_each(?))",
      JSON.stringify(ids),
    );
  return {
    lockTenant: () => {},
    markInForce: () => {},
    insertVectors: async (tenant, placed) => insertVectors(database, tenant, placed),
    replaceVectors: async (access, write) => replaceVectors(database, access, write),
    dropVectors: (access, write) => dropFaultyVectors(database, access, write),
    pruneVectors: async (access, write) => pruneVectors(database, access, write),
    replaceTags: (tenant, ref, tags) => {
      const ids = rowIds(tenant, [ref]);
      dropTags(ids);
      for (const id of ids) addTags(database, id, tags);
    },
    drop: (tenant, refs) => {
      const ids = rowIds(tenant, refs);
      dropTags(ids);
      dropVectors(
        database,
        "memories",
        ids.map((id) => [id, id] as const),
      );
    },
  };
}
