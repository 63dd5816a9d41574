/**
 * Rows that no hash of a message, a summary or a memory covers have a seal of their own in the column `seal`: 48 bits of
 * SHA-256 over the row's values. It detects corruption. NULL while a part of the row is erased, until `seal-again.ts` seals
 * the rest.
 */
import { hash } from "node:crypto";
import type { ColumnType } from "./insert.ts";
import { shownText } from "./shown-text.ts";
import type { Dialect } from "./statement.ts";
import type { EngineName } from "./store.ts";

type SealedType = Extract<
  ColumnType,
  "text" | "shown" | "bigint" | "integer" | "real" | "boolean" | "time" | "hash" | "message"
>;
type SealedValue = string | number | boolean | null;

/** The columns that identify a row, in order, each with a value that sorts before every other one. */
type Key = Readonly<Record<string, string | number>>;

export interface SealedTable {
  readonly table: string;
  /** What the seal covers. */
  readonly columns: Readonly<Record<string, SealedType>>;
  /** The names of columns in the table, where the rows use other names. */
  readonly names: Readonly<Record<string, string>>;
  readonly key: (dialect: Dialect) => Key;
}

type Owner = "conversation" | "memory" | "tenant";

const OWNER_KEYS: Readonly<Record<Owner, Readonly<Record<EngineName, Key>>>> = {
  conversation: { sqlite: { conversation_id: 0 }, postgres: { tenant: "", conversation_id: 0 } },
  memory: { sqlite: { memory_id: 0 }, postgres: { tenant: "", scope: "", number: 0 } },
  tenant: { sqlite: {}, postgres: { tenant: "" } },
};

/** `key`: identifies a row among those of its owner. */
export function sealedTable<const Columns extends SealedTable["columns"]>(
  table: string,
  columns: Columns,
  owner: Owner,
  key: Key | SealedTable["key"],
  names: SealedTable["names"] = {},
): SealedTable & { readonly columns: Columns } {
  return {
    table,
    columns,
    names,
    key: (d) => ({ ...OWNER_KEYS[owner][d.engine], ...(typeof key === "function" ? key(d) : key) }),
  };
}

const DIGITS = 12;

/** The seal of a row, which may have further columns. It is equal for rows from a database and rows to be inserted. */
export function sealOf({ columns }: SealedTable, row: Readonly<Record<string, unknown>>): number {
  const values: SealedValue[] = [];
  for (const name in columns) values.push(normalised(row[name], columns[name]));
  return Number.parseInt(hash("sha256", JSON.stringify(values), "hex").slice(0, DIGITS), 16);
}

function normalised(value: unknown, type: SealedType | undefined): SealedValue {
  if (value === null || value === undefined) return null;
  // Half of a surrogate pair cannot be stored.
  if (typeof value === "string") return type === "shown" ? shownText(value) : value.toWellFormed();
  return Number(value);
}

/** Selects the sealed rows after a key, and `seal`, which is null where a row has none. */
export function selectSealed(sealed: SealedTable, d: Dialect): string {
  const key = Object.keys(sealed.key(d));
  return `${selectRows(sealed, d)}
    WHERE (${key.join(", ")}) > (${key.map((_, place) => `$${place + 1}`).join(", ")})
    ORDER BY ${key.join(", ")} LIMIT $${key.length + 1}`;
}

/** Selects the rows of the tenant in $1 that have no seal. */
export function selectUnsealed(sealed: SealedTable, d: Dialect): string {
  return `${selectRows(sealed, d)} WHERE ${d.sameTenant(sealed.table)} AND $1 IS NOT NULL AND seal IS NULL`;
}

function selectRows(sealed: SealedTable, d: Dialect): string {
  const keys = Object.keys(sealed.key(d)).map((column, place) => `${column} AS key_${place}`);
  const columns = Object.entries(sealed.columns).map(
    ([name, type]) => `${storedValue(sealed, name, type, d)} AS "${name}"`,
  );
  return `SELECT ${[...keys, ...columns].join(", ")}, seal FROM ${sealed.table}`;
}

function storedValue({ table, names }: SealedTable, name: string, type: SealedType, d: Dialect): string {
  if (type === "message") return d.seq(table);
  const column = names[name] ?? name;
  return type === "hash" ? d.hexOrNull(column) : column;
}

/** Sets the seal of the row with a key; the seal comes after the key. */
export function updateSeal(sealed: SealedTable, d: Dialect): string {
  const key = Object.keys(sealed.key(d));
  const conditions = key.map((column, place) => `${column} = $${place + 1}`);
  return `UPDATE ${sealed.table} SET seal = $${key.length + 1} WHERE ${conditions.join(" AND ")}`;
}

export type SealedRow = Readonly<Record<string, string | number | null>>;

/** The key of a row from `selectSealed`. */
export function keyOf(sealed: SealedTable, d: Dialect, row: SealedRow): (string | number)[] {
  return Object.keys(sealed.key(d)).map((_, place) => row[`key_${place}`] ?? 0);
}

export function startOf(sealed: SealedTable, d: Dialect): (string | number)[] {
  return Object.values(sealed.key(d));
}
