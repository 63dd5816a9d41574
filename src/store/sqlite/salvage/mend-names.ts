/**
 * Names that rows are looked up by, and that damage has made unusable, are replaced: a conversation whose id or tenant
 * cannot be written down could not be read, however sound its messages are.
 */
import { randomBytes } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";

const NAMES = [
  ["conversations", "conversation_id", ["tenant", "agent", "session_id", "session_key"]],
  ["memory_scopes", "scope_id", ["tenant", "scope"]],
] as const;

/** Returns a sentence for each name that was replaced. */
export function mendNames(database: DatabaseSync): string[] {
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
