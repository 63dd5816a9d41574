/**
 * Reads the conversations in a database of lossless-claw, the context engine for OpenClaw, with their messages, parts,
 * summaries, lineage, context items and large files. Columns differ between its versions, so rows are returned unchanged.
 * Other rows than messages that cannot be read are listed in `problems`, and the rest is read.
 */
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { messageOf } from "../../errors.ts";

type Row = Record<string, SQLOutputValue>;

/** The rows of a conversation other than its messages, in their logical order. */
const TABLES = {
  parts: `SELECT p.* FROM message_parts p JOIN messages m ON m.message_id = p.message_id
    WHERE m.conversation_id = ? ORDER BY m.seq, p.ordinal, p.part_id`,
  summaries: "SELECT * FROM summaries WHERE conversation_id = ? ORDER BY depth, earliest_at, rowid",
  // "Parent" is the source: `summary_id` was made from `parent_summary_id`.
  links: `SELECT l.summary_id AS id, l.parent_summary_id AS source FROM summary_parents l
    JOIN summaries s ON s.summary_id = l.summary_id WHERE s.conversation_id = ? ORDER BY l.summary_id, l.ordinal`,
  covered: `SELECT l.summary_id AS id, l.message_id AS source FROM summary_messages l
    JOIN summaries s ON s.summary_id = l.summary_id WHERE s.conversation_id = ? ORDER BY l.summary_id, l.ordinal`,
  items: "SELECT * FROM context_items WHERE conversation_id = ? ORDER BY ordinal",
  files: "SELECT * FROM large_files WHERE conversation_id = ? ORDER BY created_at, file_id",
} as const;

/** A conversation may have lost its row while its messages still exist. */
const CONVERSATIONS = `SELECT conversation_id AS id FROM conversations
  UNION SELECT DISTINCT conversation_id FROM messages ORDER BY 1`;

export function* readLosslessClaw(database: DatabaseSync, file: string): Generator<object> {
  for (const { id = null } of database.prepare(CONVERSATIONS).all()) {
    database.exec("BEGIN");
    const value = readConversation(database, file, id);
    database.exec("COMMIT");
    yield value;
  }
}

function readConversation(database: DatabaseSync, file: string, id: SQLOutputValue): object {
  const problems: string[] = [];
  const [conversation] = rows(database, "SELECT * FROM conversations WHERE conversation_id = ?", id);
  if (conversation === undefined) problems.push(`conversation ${id} has messages but no row`);
  const messages = rows(database, "SELECT * FROM messages WHERE conversation_id = ? ORDER BY seq", id);
  const others = Object.entries(TABLES).map(([name, sql]): [string, Row[]] => {
    try {
      return [name, rows(database, sql, id)];
    } catch (error) {
      problems.push(`${name} of conversation ${id} cannot be read: ${messageOf(error)}`);
      return [name, []];
    }
  });
  const { files = [], ...tables } = Object.fromEntries(others);
  const contents = files.map((row) => withContent(row, file, problems));
  const isKnown = conversation ?? { conversation_id: id };
  return { conversation: isKnown, messages, ...tables, files: contents, problems };
}

function rows(database: DatabaseSync, sql: string, id: SQLOutputValue): Row[] {
  return database.prepare(sql).all(id).map(plain);
}

/** Bytes as text that JSON can hold. */
function plain(row: Row): Row {
  const fields = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? `base64:${Buffer.from(value).toString("base64")}` : value,
  ]);
  return Object.fromEntries(fields);
}

function withContent(row: Row, database: string, problems: string[]): object {
  const id = String(row.file_id);
  const stored = String(row.storage_uri).replace(/^file:\/\//, "");
  // A foreign database must not import any other file of this machine.
  if (!path.basename(stored).startsWith(`${id}.`) && path.basename(stored) !== id) {
    problems.push(`${id} was not read: the name of ${stored} is not the id of the file`);
    return row;
  }
  const beside = path.join(
    path.dirname(database),
    "lcm-files",
    String(row.conversation_id),
    path.basename(stored),
  );
  const found = [stored, beside].find(isFile);
  if (found === undefined) {
    problems.push(`${id} is missing: ${stored}`);
    return row;
  }
  return { ...row, content: readFileSync(found).toString("base64") };
}

function isFile(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isFile() === true;
}
