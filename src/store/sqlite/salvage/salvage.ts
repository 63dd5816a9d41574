/**
 * Makes an intact database from a damaged one: every row that can still be read is copied into a new file with fresh indexes.
 * The damaged file is only read. Row values are not checked here: whether a message is unchanged is verified by its hash
 * afterwards.
 */

import { randomBytes } from "node:crypto";
import { closeSync, openSync, rmSync } from "node:fs";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { SCHEMA_VERSION } from "../../migrations.ts";
import { APPLICATION_ID, schemaSql } from "../migrate.ts";
import { adoptOrphans } from "./adopt-orphans.ts";
import { findRows, REBUILT } from "./find-rows.ts";
import { KnownConversations } from "./known-conversations.ts";
import { PageFile } from "./page-file.ts";
import type { FoundRecord } from "./read-page.ts";
import { isText, type RecordValue } from "./read-record.ts";
import { type Shape, shapesIn } from "./table-shape.ts";

export interface Salvaged {
  readonly rows: number;
  /** Rows that could not be read, or were recreated from other rows. */
  readonly problems: readonly string[];
  /** Those of them that a check of the new database does not report. */
  readonly unchecked: readonly string[];
}

/** Rows that own or count the rows of other tables, and rows that nothing counts: a check does not notice that they are missing. */
const UNCOUNTED = new Set([
  "conversations",
  "conversation_bootstrap_state",
  "memory_scopes",
  "tenant_counts",
  "memory_uses",
  "vectors",
  "vector_bits",
  "vector_progress",
  "erasure_cleanups",
]);

export function salvage(damaged: string, target: string): Salvaged {
  const file = new PageFile(damaged);
  try {
    // Only its owner may read the messages.
    closeSync(openSync(target, "w", 0o600));
    const database = new DatabaseSync(target, { enableForeignKeyConstraints: false });
    try {
      return fill(database, file);
    } finally {
      database.close();
    }
  } catch (error) {
    rmSync(target, { force: true });
    throw error;
  } finally {
    file.close();
  }
}

function fill(database: DatabaseSync, file: PageFile): Salvaged {
  database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA ignore_check_constraints = ON");
  database.exec(schemaSql());
  const shapes = shapesIn(database);
  const counted: string[] = [];
  const unchecked: string[] = [];
  const report = (problem: string, tables: readonly string[]) => {
    const isChecked = tables.length > 0 && !tables.some((table) => UNCOUNTED.has(table));
    (isChecked ? counted : unchecked).push(problem);
  };
  database.exec("BEGIN");
  let rows = 0;
  const known = new KnownConversations();
  for (const found of findRows(file, shapes, report))
    if (!found.table.isTable) known.meet(found);
    else if (!REBUILT.includes(found.table.name)) rows += insert(database, found.table, found.records);
  if (rows === 0) unchecked.push("no stored data could be read");
  unchecked.push(...adoptOrphans(database, known), ...mendNames(database));
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
  database.exec("COMMIT; PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL");
  return { rows, problems: [...unchecked, ...counted], unchecked };
}

/** Text is inserted as bytes and cast to text, so that no character of it is replaced. */
function insert(database: DatabaseSync, table: Shape, records: readonly FoundRecord[]): number {
  const names = table.columns.map(({ name }) => name);
  const cells = table.columns.map(({ byDefault }, place) => {
    const [kind, value] = [`?${2 * place + 1}`, `?${2 * place + 2}`];
    return `CASE ${kind} WHEN 2 THEN ${byDefault} WHEN 1 THEN CAST(${value} AS TEXT) ELSE ${value} END`;
  });
  const isSequence = table.name === "sqlite_sequence";
  const statement = database.prepare(
    `INSERT OR IGNORE INTO ${table.name} (${names.join(", ")}) VALUES (${cells.join(", ")})`,
  );
  let inserted = 0;
  for (const { rowid, values } of records) {
    if (isSequence) {
      raiseSequence(database, values);
      continue;
    }
    const given = table.columns.map(({ name }, place) =>
      name === table.rowIdColumn ? rowid : values[place],
    );
    inserted += Number(statement.run(...given.flatMap(asCell)).changes);
  }
  return inserted;
}

/** A column that is newer than the row gets its default. */
function asCell(value: RecordValue | undefined): [SQLInputValue, SQLInputValue] {
  if (value === undefined) return [2, null];
  return value !== null && isText(value) ? [1, value.text] : [0, value];
}

/** Ids that were assigned before are never assigned again. */
function raiseSequence(database: DatabaseSync, [name, last]: readonly RecordValue[]): void {
  if (name === undefined || name === null || !isText(name) || typeof last !== "number") return;
  const table = name.text.toString();
  const changed = database
    .prepare("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?")
    .run(last, table).changes;
  if (changed === 0)
    database.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)").run(table, last);
}

/**
 * Replaces damaged names that rows are looked up by: a conversation whose id or tenant is not valid text could not be read,
 * even if its messages are intact.
 */
const NAMES = [
  ["conversations", "conversation_id", ["tenant", "agent", "session_id", "session_key"]],
  ["memory_scopes", "scope_id", ["tenant", "scope"]],
] as const;

/** Returns a sentence for each name that was replaced. */
function mendNames(database: DatabaseSync): string[] {
  return [...mendIds(database), ...mendTexts(database)];
}

function mendIds(database: DatabaseSync): string[] {
  const rows = database
    .prepare("SELECT conversation_id AS id, CAST(uid AS BLOB) AS uid FROM conversations")
    .all();
  const damaged = rows.filter(({ uid }) => !/^conv_[0-9a-f]{16}$/.test(textOf(uid)));
  const update = database.prepare("UPDATE conversations SET uid = ? WHERE conversation_id = ?");
  return damaged.map(({ id = null }) => {
    const uid = `conv_${randomBytes(8).toString("hex")}`;
    update.run(uid, id);
    return `the id of a conversation is damaged; its messages are kept as ${uid}`;
  });
}

/** Bytes that are not UTF-8 become replacement characters. */
function mendTexts(database: DatabaseSync): string[] {
  return NAMES.flatMap(([table, key, columns]) =>
    columns.flatMap((column) => {
      const rows = database
        .prepare(`SELECT ${key} AS id, CAST(${column} AS BLOB) AS name FROM ${table}`)
        .all();
      const damaged = rows.filter(
        ({ name }) => name instanceof Uint8Array && !Buffer.from(textOf(name)).equals(name),
      );
      const update = database.prepare(`UPDATE OR IGNORE ${table} SET ${column} = ? WHERE ${key} = ?`);
      return damaged.map(({ id = null, name }) => {
        update.run(textOf(name), id);
        return `${table} row ${String(id)}: its ${column} is damaged`;
      });
    }),
  );
}

function textOf(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString() : "";
}
