/** Inserts many rows in one statement: an array for each column, and one row for each index in them. */
import type { Columns, ColumnType, Insert, RowFor } from "../insert.ts";
import type { Owner } from "../port.ts";
import { sealOf } from "../sealed-table.ts";
import { shownText } from "../shown-text.ts";
import { POSTGRES } from "./dialect.ts";
import { byteaArray, bytes } from "./rows.ts";

/** One statement carries at most this much content and this many contents; a single larger one is sent alone. */
const BATCH_BYTES = 32 * 1024 * 1024;
const BATCH_ROWS = 1_000;

interface Insertion {
  readonly text: string;
  readonly values: readonly unknown[];
}

export function* insertions<Of extends Columns>(
  insert: Insert<Of>,
  owner: Owner,
  rows: readonly RowFor<Of>[],
): Generator<Insertion> {
  const { text, columns } = preparedFor(insert);
  for (const batch of batches(rows, columns)) {
    const arrays = columns.map(([name, type]) =>
      arrayOf(
        type,
        batch.map((row) => row[name] ?? null),
      ),
    );
    const { sealed } = insert;
    const seals = sealed === null ? [] : [batch.map((row) => sealOf(sealed, row))];
    yield { text, values: [...owner, ...arrays, ...seals] };
  }
}

type Cell = string | number | boolean | Uint8Array | readonly string[] | null;
type Row = Readonly<Record<string, Cell>>;
type NamedColumn = readonly [name: string, type: ColumnType];

interface Prepared {
  readonly text: string;
  readonly columns: readonly NamedColumn[];
}

const prepared = new WeakMap<Insert, Prepared>();

function preparedFor(insert: Insert): Prepared {
  let known = prepared.get(insert);
  if (known === undefined) {
    known = prepare(insert);
    prepared.set(insert, known);
  }
  return known;
}

function prepare({ table, columns, names: renamed, owner, onConflict, sealed }: Insert): Prepared {
  const owners = OWNERS[owner];
  const own = Object.entries(columns).filter(([, type]) => type !== "rowid" && type !== "position");
  const names = [...own.map(([name]) => renamed[name] ?? name), ...(sealed === null ? [] : ["seal"])];
  const types = [...own.map(([, type]) => ARRAYS[type]), ...(sealed === null ? [] : ["bigint"])];
  const arrays = types.map((type, index) => `$${index + owners.length + 2}::${type}[]`);
  const parameters = ["$1::text", ...owners.map(() => "$2::bigint")];
  const cells = names.map((name, index) => (own[index]?.[1] === "tags" ? `${name}::text[]` : name));
  const conflict = onConflict === null ? "" : ` ${onConflict(POSTGRES)}`;
  const text = `INSERT INTO ${table} (${["tenant", ...owners, ...names].join(", ")})
    SELECT ${[...parameters, ...cells].join(", ")} FROM unnest(${arrays.join(", ")}) AS given(${names.join(", ")})${conflict}`;
  return { text, columns: own };
}

/** Columns of row ids that rows of an owner have in addition to the tenant. */
const OWNERS: Readonly<Record<Insert["owner"], readonly string[]>> = {
  conversation: ["conversation_id"],
  message: ["conversation_id"],
  segment: ["segment_id"],
  tenant: [],
  memory: [],
};

const ARRAYS: Readonly<Record<ColumnType, string>> = {
  text: "text",
  shown: "text",
  bigint: "bigint",
  integer: "integer",
  real: "float8",
  boolean: "boolean",
  time: "timestamptz",
  hash: "bytea",
  bytes: "bytea",
  content: "bytea",
  message: "bigint",
  rowid: "bigint",
  size: "bigint",
  agent: "text",
  scope: "text",
  memory: "bigint",
  position: "bigint",
  tags: "text",
};

function arrayOf(type: ColumnType, values: readonly Cell[]): unknown {
  if (ARRAYS[type] === "bytea") return byteaArray(values.map((value) => toBytes(type, value)));
  if (type === "tags") return values.map((value) => (Array.isArray(value) ? arrayText(value) : null));
  return type === "shown" ? values.map((value) => shownText(value === null ? null : String(value))) : values;
}

/** A `text[]` in PostgreSQL's text format: `unnest` would flatten a list of lists. */
function arrayText(items: readonly string[]): string {
  return `{${items.map((item) => `"${shownText(item).replaceAll(/["\\]/g, "\\$&")}"`).join(",")}}`;
}

function toBytes(type: ColumnType, value: Cell): Uint8Array | null {
  if (typeof value !== "string") return value instanceof Uint8Array ? value : null;
  return type === "hash" ? bytes(value) : Buffer.from(value, "utf8");
}

/** Cuts rows with contents into groups that one statement can carry. */
function* batches<Each extends Row>(
  rows: readonly Each[],
  columns: readonly NamedColumn[],
): Generator<readonly Each[]> {
  const measured = columns.filter(([, type]) => type === "content" || type === "bytes").map(([name]) => name);
  if (measured.length === 0) {
    yield rows;
    return;
  }
  let start = 0;
  let size = 0;
  for (const [index, row] of rows.entries()) {
    const length = measured.reduce((sum, name) => sum + sizeOf(row[name] ?? null), 0);
    if (index > start && (index - start >= BATCH_ROWS || size + length > BATCH_BYTES)) {
      yield rows.slice(start, index);
      start = index;
      size = 0;
    }
    size += length;
  }
  if (start < rows.length) yield rows.slice(start);
}

function sizeOf(value: Cell): number {
  return typeof value === "string" || value instanceof Uint8Array ? Buffer.byteLength(value) : 0;
}
