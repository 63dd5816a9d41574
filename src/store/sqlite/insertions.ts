/** Inserts rows one by one, with a cached prepared statement: this is the fastest way without a network. */
import type { SQLInputValue } from "node:sqlite";
import type { Columns, ColumnType, Insert, RowFor } from "../insert.ts";
import type { Owner } from "../port.ts";
import { sealOf } from "../sealed-table.ts";
import { shownText } from "../shown-text.ts";
import type { Database } from "./database.ts";
import { SQLITE } from "./dialect.ts";
import { addTags, findScopeId } from "./memory-rows.ts";
import { messageRowId } from "./rows.ts";

export function insertRows<Of extends Columns>(
  database: Database,
  insert: Insert<Of>,
  [tenant, owner = 0]: Owner,
  rows: readonly RowFor<Of>[],
): void {
  const { text, columns, tags } = insertionOf(insert);
  const scopeIdOf = insert.owner === "memory" ? scopeIdsIn(database, tenant) : null;
  const [own] = OWNERS[insert.owner];
  const first = own === undefined ? 0 : 1;
  const { sealed } = insert;
  for (const row of rows) {
    const id = scopeIdOf === null ? owner : scopeIdOf(row);
    // Filled by index, because this runs for every stored row.
    const values = new Array<SQLInputValue>(first + columns.length);
    if (own !== undefined) values[0] = own === "tenant" ? tenant : owner;
    for (let place = 0; place < columns.length; place++) {
      const { name, convert } = columns[place] as InsertedColumn;
      const value = row[name] ?? null;
      values[first + place] =
        convert === null || value === null ? (value as SQLInputValue) : convert(value, id);
    }
    if (sealed !== null) values.push(sealOf(sealed, row));
    database.send(text, values);
    if (tags !== undefined) addTags(database, messageRowId(id, Number(row.number)), row[tags]);
  }
}

/** The row ids of the scopes that rows name, each looked up once. */
function scopeIdsIn(database: Database, tenant: string): (row: Readonly<Record<string, unknown>>) => number {
  const known = new Map<string, number>();
  return (row) => {
    const scope = String(row.scope);
    const id = known.get(scope) ?? findScopeId(database, tenant, scope) ?? 0;
    known.set(scope, id);
    return id;
  };
}

type NamedColumn = readonly [name: string, type: ColumnType];

interface InsertedColumn {
  readonly name: string;
  readonly convert: Convert | null;
}

interface Insertion {
  readonly text: string;
  readonly columns: readonly InsertedColumn[];
  /** The column with tags, which are stored in another table. */
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

/** Column types that only another engine has, or that are stored elsewhere. */
const NOT_A_COLUMN: ReadonlySet<ColumnType> = new Set(["size", "agent", "tags"]);

function writeInsertion({ table, columns, names: renamed, owner, onConflict, sealed }: Insert): Insertion {
  const nameOf = ([name, type]: NamedColumn) => idColumnOf(type) ?? renamed[name] ?? name;
  const all: readonly NamedColumn[] = Object.entries(columns);
  const isPart = all.some(([, type]) => type === "memory");
  const stored = all.filter(([, type]) => !NOT_A_COLUMN.has(type) && !(isPart && type === "scope"));
  const given = stored.filter(([, type]) => type !== "position");
  const counted = stored.filter(([, type]) => type === "position");
  const names = [...OWNERS[owner], ...given.map(nameOf), ...(sealed === null ? [] : ["seal"])];
  const cells = [
    ...names.map(() => "?"),
    ...counted.map(([name]) => nextPosition(table, name, names.indexOf("memory_id") + 1)),
  ];
  const conflict = onConflict === null ? "" : ` ${onConflict(SQLITE)}`;
  const text = `INSERT INTO ${table} (${[...names, ...counted.map(nameOf)].join(", ")}) VALUES (${cells.join(", ")})${conflict}`;
  return {
    text,
    columns: given.map(([name, type]) => ({ name, convert: CONVERSIONS[type] ?? null })),
    tags: all.find(([, type]) => type === "tags")?.[0],
  };
}

function nextPosition(table: string, column: string, memory: number): string {
  return `(SELECT coalesce(max(${column}), 0) + 1 FROM ${table} WHERE memory_id = ?${memory})`;
}

/** Columns that identify the owner of a row, in addition to the row's own columns. */
const OWNERS: Readonly<Record<Insert["owner"], readonly string[]>> = {
  conversation: ["conversation_id"],
  segment: ["segment_id"],
  tenant: ["tenant"],
  message: [],
  memory: [],
};

/** The name of a column that stores a row id instead of the given value. */
function idColumnOf(type: ColumnType): string | null {
  if (type === "message") return "message_id";
  if (type === "memory") return "memory_id";
  return type === "scope" ? "scope_id" : null;
}

type Cell = string | number | boolean | Uint8Array | readonly string[];
/** `id` is the row id of the conversation or the scope. Row ids of messages and of memories are made alike. */
type Convert = (value: Cell, id: number) => SQLInputValue;

const toRowId: Convert = (value, id) => messageRowId(id, Number(value));

/** Types whose values are converted before they are stored. */
const CONVERSIONS: Readonly<Partial<Record<ColumnType, Convert>>> = {
  boolean: (value) => (value === true ? 1 : 0),
  shown: (value) => shownText(String(value)),
  scope: (_, id) => id,
  hash: (value) => Buffer.from(String(value), "hex"),
  message: toRowId,
  rowid: toRowId,
  memory: toRowId,
};
