/** The form of a table's or index's records in the file, by which they are recognised when their tree is broken. */
import type { DatabaseSync } from "node:sqlite";
import { isText, type RecordValue } from "./read-record.ts";

interface ShapeColumn {
  readonly name: string;
  readonly type: string;
  readonly mayBeNull: boolean;
  /** Rows from before it was added lack it, and have its default: a SQL expression. */
  readonly mayBeMissing: boolean;
  readonly byDefault: string;
}

export interface Shape {
  readonly name: string;
  readonly isTable: boolean;
  readonly hasRowIds: boolean;
  /** The column that is the row id, which records store as null. */
  readonly rowIdColumn: string | null;
  readonly columns: readonly ShapeColumn[];
  readonly rootPage: number;
}

type SchemaRow = { type: string; name: string; tbl_name: string; rootpage: number };

/** For every table and index in a database with the schema. */
export function shapesIn(database: DatabaseSync): Shape[] {
  const rows = database
    .prepare("SELECT type, name, tbl_name, rootpage FROM sqlite_schema WHERE rootpage > 0")
    .all() as SchemaRow[];
  const tables = rows.filter(({ type }) => type === "table").map((row) => tableShape(database, row));
  const byName = new Map(tables.map((table) => [table.name, table]));
  const indexes = rows
    .filter(({ type }) => type === "index")
    .flatMap((row) => {
      const table = byName.get(row.tbl_name);
      return table === undefined ? [] : [indexShape(database, row, table)];
    });
  return [...tables, ...indexes];
}

type ColumnRow = { name: string; type: string; notnull: number; dflt_value: string | null; pk: number };

function tableShape(database: DatabaseSync, { name, rootpage }: SchemaRow): Shape {
  const info = database.prepare("SELECT wr FROM pragma_table_list WHERE name = ?").get(name);
  const hasRowIds = info?.wr !== 1;
  const columns = database
    .prepare(`SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?)`)
    .all(name) as ColumnRow[];
  const keys = columns.filter(({ pk }) => pk > 0);
  const [key] = keys;
  const isRowId = hasRowIds && keys.length === 1 && key?.type === "INTEGER";
  return {
    name,
    isTable: true,
    hasRowIds,
    rowIdColumn: isRowId ? (key?.name ?? null) : null,
    columns: columns.map((column) => ({
      name: column.name,
      type: column.type === "" ? "ANY" : column.type,
      mayBeNull: column.notnull === 0 && (column.pk === 0 || isRowId),
      mayBeMissing: column.notnull === 0 || column.dflt_value !== null,
      byDefault: column.dflt_value ?? "NULL",
    })),
    rootPage: rootpage,
  };
}

/** An index contains its columns and the key of the row; an expression may have any value. */
function indexShape(database: DatabaseSync, { name, rootpage }: SchemaRow, table: Shape): Shape {
  const rows = database.prepare("SELECT cid, name FROM pragma_index_xinfo(?)").all(name) as {
    cid: number;
    name: string | null;
  }[];
  const columns = rows.map(({ cid, name: column }): ShapeColumn => {
    const found = table.columns.find((one) => one.name === column);
    const type = found?.type ?? (cid === -1 ? "INTEGER" : "ANY");
    return {
      name: column ?? "",
      type,
      mayBeNull: found?.mayBeNull ?? true,
      mayBeMissing: false,
      byDefault: "NULL",
    };
  });
  return { name, isTable: false, hasRowIds: false, rowIdColumn: null, columns, rootPage: rootpage };
}

export function fits({ columns, rowIdColumn }: Shape, values: readonly RecordValue[]): boolean {
  if (values.length > columns.length) return false;
  return columns.every((column, place) => {
    const value = values[place];
    if (value === undefined) return column.mayBeMissing;
    if (column.name === rowIdColumn) return value === null;
    return value === null ? column.mayBeNull : isOfType(value, column.type);
  });
}

function isOfType(value: Exclude<RecordValue, null>, type: string): boolean {
  if (type === "TEXT") return isText(value);
  if (type === "BLOB") return Buffer.isBuffer(value);
  const isNumber = typeof value === "number" || typeof value === "bigint";
  if (type === "INTEGER") return isNumber && (typeof value === "bigint" || Number.isInteger(value));
  return type === "REAL" ? isNumber : true;
}
