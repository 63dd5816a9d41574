/** The port on SQLite. Statements run at once; a promise only carries the answer. */
import type { SQLInputValue } from "node:sqlite";
import type { Columns, ColumnType, Insert, RowFor } from "../insert.ts";
import type { Contents, ContentWriting, Derived, MemoryExtras, Owner, Port, Value } from "../port.ts";
import { RowList } from "../row-list.ts";
import type { Statement } from "../statement.ts";
import { dropLock } from "./compaction-locks.ts";
import type { Database } from "./database.ts";
import { SQLITE } from "./dialect.ts";
import { dropUnreferenced, isKnown, keepWritten, putContent } from "./file-contents.ts";
import { memoryExtras } from "./memory-extras.ts";
import { addTags, findScopeId } from "./memory-rows.ts";
import { dropMessageVectors, dropVectorsOf } from "./message-vectors.ts";
import { readOriginal } from "./original-of.ts";
import { messageRowId } from "./rows.ts";

export class SqlitePort implements Port {
  readonly contents: Contents;
  readonly derived: Derived;
  readonly memories: MemoryExtras;
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
      lockIndex: () => {},
    };
    this.memories = memoryExtras(database);
  }

  async rows<Row extends object>(statement: Statement, ...values: readonly Value[]): Promise<Row[]> {
    const { text, values: given } = prepared(statement, values);
    return this.#database.all(text, ...given) as Row[];
  }

  async one<Row extends object>(statement: Statement, ...values: readonly Value[]): Promise<Row | undefined> {
    const { text, values: given } = prepared(statement, values);
    return this.#database.one(text, ...given) as Row | undefined;
  }

  async run(statement: Statement, ...values: readonly Value[]): Promise<number> {
    const { text, values: given } = prepared(statement, values);
    return this.#database.run(text, ...given);
  }

  send(statement: Statement, ...values: readonly Value[]): void {
    const { text, values: given } = prepared(statement, values);
    this.#database.run(text, ...given);
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

  insert<Of extends Columns>(
    insert: Insert<Of>,
    [tenant, owner = 0]: Owner,
    rows: readonly RowFor<Of>[],
  ): void {
    const { text, columns, tags } = insertionOf(insert);
    const idOf = insert.owner === "memory" ? this.#scopeIds(tenant) : () => owner;
    const own = ownValues(insert, tenant, owner);
    for (const row of rows) {
      const id = idOf(row);
      const cells = columns.map(([name, type]) => columnValue(type, row[name] ?? null, id));
      this.#database.run(text, ...own, ...cells);
      if (tags !== undefined) addTags(this.#database, messageRowId(id, Number(row.number)), row[tags]);
    }
  }

  /** The row ids of the scopes that rows name, each looked up once. */
  #scopeIds(tenant: string): (row: Readonly<Record<string, unknown>>) => number {
    const known = new Map<string, number>();
    return (row) => {
      const scope = String(row.scope);
      const id = known.get(scope) ?? findScopeId(this.#database, tenant, scope) ?? 0;
      known.set(scope, id);
      return id;
    };
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
}

const texts = new WeakMap<Statement, Prepared>();

/** SQLite numbers its parameters `?1`; a dollar would make names of them. */
function textOf(statement: Statement): Prepared {
  let known = texts.get(statement);
  if (known === undefined) {
    const text = statement.in(SQLITE);
    const parameters = Array.from(text.matchAll(/\$(\d+)/g), ([, number]) => Number(number));
    known = { text: text.replaceAll("$", "?"), parameters: Math.max(0, ...parameters) };
    texts.set(statement, known);
  }
  return known;
}

/** Without values at the end that only another engine has a parameter for. */
function prepared(
  statement: Statement,
  values: readonly Value[],
): { readonly text: string; readonly values: SQLInputValue[] } {
  const { text, parameters } = textOf(statement);
  return { text, values: values.slice(0, parameters).map(toSqlite) };
}

function toSqlite(value: Value): SQLInputValue {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof RowList) return JSON.stringify(value.rows());
  return Array.isArray(value) ? JSON.stringify(value) : (value as SQLInputValue);
}

type NamedColumn = readonly [name: string, type: ColumnType];

interface Insertion {
  readonly text: string;
  readonly columns: readonly NamedColumn[];
  /** The column with tags, which are rows of another table. */
  readonly tags: string | undefined;
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

/** Types of columns that another engine has, or that are kept elsewhere. */
const NOT_A_COLUMN: ReadonlySet<ColumnType> = new Set(["size", "agent", "tags"]);

function writeInsertion({ table, columns, owner, onConflict }: Insert): Insertion {
  const all: readonly NamedColumn[] = Object.entries(columns);
  const isPart = all.some(([, type]) => type === "memory");
  const stored = all.filter(([, type]) => !NOT_A_COLUMN.has(type) && !(isPart && type === "scope"));
  const given = stored.filter(([, type]) => type !== "position");
  const counted = stored.filter(([, type]) => type === "position");
  const names = [...OWNERS[owner], ...given.map(nameOf)];
  const cells = [
    ...names.map((_, place) => `?${place + 1}`),
    ...counted.map(([name]) => nextPosition(table, name, names.indexOf("memory_id") + 1)),
  ];
  const conflict = onConflict === null ? "" : ` ${onConflict(SQLITE)}`;
  const text = `INSERT INTO ${table} (${[...names, ...counted.map(nameOf)].join(", ")}) VALUES (${cells.join(", ")})${conflict}`;
  return { text, columns: given, tags: all.find(([, type]) => type === "tags")?.[0] };
}

function nextPosition(table: string, column: string, memory: number): string {
  return `(SELECT coalesce(max(${column}), 0) + 1 FROM ${table} WHERE memory_id = ?${memory})`;
}

/** Columns that say whose a row is, beside those of the row itself. */
const OWNERS: Readonly<Record<Insert["owner"], readonly string[]>> = {
  conversation: ["conversation_id"],
  segment: ["segment_id"],
  tenant: ["tenant"],
  message: [],
  memory: [],
};

function ownValues(insert: Insert, tenant: string, owner: number): readonly SQLInputValue[] {
  return OWNERS[insert.owner].map((column) => (column === "tenant" ? tenant : owner));
}

function nameOf([name, type]: NamedColumn): string {
  if (type === "message") return "message_id";
  if (type === "memory") return "memory_id";
  return type === "scope" ? "scope_id" : name;
}

/** `id` is the row id of the conversation or the scope. Row ids of messages and of memories are made alike. */
function columnValue(
  type: ColumnType,
  value: string | number | boolean | Uint8Array | readonly string[] | null,
  id: number,
): SQLInputValue {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (type === "scope") return id;
  if (type === "hash" && typeof value === "string") return Buffer.from(value, "hex");
  if ((type === "message" || type === "rowid" || type === "memory") && typeof value === "number")
    return messageRowId(id, value);
  return value as SQLInputValue;
}
