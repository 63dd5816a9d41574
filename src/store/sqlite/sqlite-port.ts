/** The port on SQLite. Statements run at once; a promise only carries the answer. */
import type { SQLInputValue } from "node:sqlite";
import type { Columns, ColumnType, Insert, RowFor } from "../insert.ts";
import type { Contents, ContentWriting, Derived, Owner, Port, Value } from "../port.ts";
import type { Statement } from "../statement.ts";
import { dropLock } from "./compaction-locks.ts";
import type { Database } from "./database.ts";
import { SQLITE } from "./dialect.ts";
import { dropUnreferenced, isKnown, keepWritten, putContent } from "./file-contents.ts";
import { forgetSources } from "./forget-sources.ts";
import { MemoryLoader } from "./load-memories.ts";
import { dropMessageVectors, dropVectorsOf } from "./message-vectors.ts";
import { readOriginal } from "./original-of.ts";
import { messageRowId } from "./rows.ts";

export class SqlitePort implements Port {
  readonly contents: Contents;
  readonly derived: Derived;
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
    this.contents = {
      put: async (_, contents, given) => {
        for (const [hash, content] of contents) putContent(database, hash, content);
        return new Set(given.filter((hash) => isKnown(database, hash)));
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
      eraseMemories: async ({ tenant }, conversation, seqs, at) =>
        forgetSources(database, { tenant, conversation, seqs: seqs ?? "all", at }),
      loadMemories: () => new MemoryLoader(database),
      lockIndex: () => {},
    };
  }

  async rows<Row extends object>(statement: Statement, ...values: readonly Value[]): Promise<Row[]> {
    return this.#database.all(textOf(statement), ...values.map(toSqlite)) as Row[];
  }

  async one<Row extends object>(statement: Statement, ...values: readonly Value[]): Promise<Row | undefined> {
    return this.#database.one(textOf(statement), ...values.map(toSqlite)) as Row | undefined;
  }

  async run(statement: Statement, ...values: readonly Value[]): Promise<number> {
    return this.#database.run(textOf(statement), ...values.map(toSqlite));
  }

  send(statement: Statement, ...values: readonly Value[]): void {
    this.#database.run(textOf(statement), ...values.map(toSqlite));
  }

  async settle(): Promise<void> {}

  shown(text: string): string;
  shown(text: string | null): string | null;
  shown(text: string | null): string | null {
    return text;
  }

  content(stored: string | Uint8Array | null): string | Uint8Array | null {
    return stored;
  }

  insert<Of extends Columns>(insert: Insert<Of>, [, owner]: Owner, rows: readonly RowFor<Of>[]): void {
    const { text, columns, isOwned } = insertionOf(insert);
    const own = isOwned ? [owner] : [];
    for (const row of rows)
      this.#database.run(
        text,
        ...own,
        ...columns.map(([name, type]) => columnValue(type, row[name] ?? null, owner)),
      );
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

const texts = new WeakMap<Statement, string>();

/** SQLite numbers its parameters `?1`; a dollar would make names of them. */
function textOf(statement: Statement): string {
  let text = texts.get(statement);
  if (text === undefined) {
    text = statement.in(SQLITE).replaceAll("$", "?");
    texts.set(statement, text);
  }
  return text;
}

function toSqlite(value: Value): SQLInputValue {
  if (typeof value === "boolean") return value ? 1 : 0;
  return Array.isArray(value) ? JSON.stringify(value) : (value as SQLInputValue);
}

interface Insertion {
  readonly text: string;
  readonly columns: readonly (readonly [name: string, type: ColumnType])[];
  readonly isOwned: boolean;
}

const insertions = new WeakMap<Insert, Insertion>();

function insertionOf(insert: Insert): Insertion {
  let insertion = insertions.get(insert);
  if (insertion === undefined) {
    insertion = writeInsertion(insert);
    insertions.set(insert, insertion);
  }
  return insertion;
}

function writeInsertion({ table, columns, owner, onConflict }: Insert): Insertion {
  const own = Object.entries(columns).filter(([, type]) => type !== "size" && type !== "agent");
  const isOwned = owner !== "message";
  const names = [...(isOwned ? [`${owner}_id`] : []), ...own.map(nameOf)];
  const conflict = onConflict === null ? "" : ` ${onConflict(SQLITE)}`;
  const text = `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})${conflict}`;
  return { text, columns: own, isOwned };
}

function nameOf([name, type]: readonly [string, ColumnType]): string {
  return type === "message" || type === "rowid" ? "message_id" : name;
}

function columnValue(
  type: ColumnType,
  value: string | number | boolean | Uint8Array | null,
  conversationId: number,
): SQLInputValue {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (type === "hash" && typeof value === "string") return Buffer.from(value, "hex");
  if ((type === "message" || type === "rowid") && typeof value === "number")
    return messageRowId(conversationId, value);
  return value;
}
