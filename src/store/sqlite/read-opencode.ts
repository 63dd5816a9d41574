/**
 * Reads the sessions in a database of OpenCode, in the form in which `opencode export` writes them. The database belongs to
 * OpenCode, which may be writing to it: it is opened for reading only, and a session is read in one transaction. Columns differ
 * between versions of OpenCode, so rows are taken as they are; only ids, times and `data` are relied on.
 */
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { messageOf, PalimpsestError } from "../../errors.ts";
import { isBusy } from "./sqlite-errors.ts";

type Row = Record<string, SQLOutputValue>;

const BUSY_TIMEOUT_MS = 5_000;
const TABLES = ["session", "message", "part"];

export interface OpencodeOptions {
  /** What a session was when it was read last, by its id: sessions that are still so are passed over, others are noted. */
  readonly seen?: Map<string, string>;
}

export function* readOpencode(file: string, { seen }: OpencodeOptions = {}): Generator<object> {
  const database = openDatabase(file);
  try {
    requireTables(database, file);
    for (const session of database.prepare("SELECT * FROM session ORDER BY time_created, id").all()) {
      database.exec("BEGIN");
      const state = stateOf(database, session);
      const isKnown = seen?.get(String(session.id)) === state;
      const value = isKnown ? null : sessionOf(database, session);
      database.exec("COMMIT");
      if (value !== null) yield value;
      // Only after the caller has taken it: what failed is read again.
      seen?.set(String(session.id), state);
    }
  } catch (error) {
    throw unreadable(error, file);
  } finally {
    database.close();
  }
}

function openDatabase(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  } catch (error) {
    throw unreadable(error, file);
  }
}

function unreadable(error: unknown, file: string): PalimpsestError {
  if (error instanceof PalimpsestError) return error;
  return new PalimpsestError(
    "invalid-input",
    `${file} cannot be read as a database of OpenCode: ${messageOf(error)}`,
    {
      advice: "Write the session out with `opencode export` and import that file.",
      isRetryable: isBusy(error),
      cause: error,
    },
  );
}

function requireTables(database: DatabaseSync, file: string): void {
  const found = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const names = new Set(found.map(({ name }) => name));
  if (TABLES.every((name) => names.has(name))) return;
  throw new PalimpsestError("not-supported", `${file} is an SQLite database, and not one of OpenCode`, {
    advice: "Export the session from its host, or write its messages as JSON lines and import those.",
  });
}

/** Changes with every message and part that is added or written again. */
function stateOf(database: DatabaseSync, { id, time_updated: updated }: Row): string {
  const newest = TABLES.slice(1).map((table) => {
    const row = database
      .prepare(`SELECT count(*) AS rows, max(time_updated) AS newest FROM ${table} WHERE session_id = ?`)
      .get(id ?? null);
    return `${row?.rows} ${row?.newest}`;
  });
  return [updated, ...newest].join(" ");
}

function sessionOf(database: DatabaseSync, { directory, title, ...session }: Row): object {
  const id = session.id ?? null;
  const inOrder = "WHERE session_id = ? ORDER BY time_created, id";
  const parts = Map.groupBy(
    database.prepare(`SELECT * FROM part ${inOrder}`).all(id),
    ({ message_id: message }) => message,
  );
  const messages = database.prepare(`SELECT * FROM message ${inOrder}`).all(id);
  return {
    info: { ...session, directory, title },
    messages: messages.map((message) => ({
      info: { id: message.id, ...dataOf(message) },
      parts: (parts.get(message.id ?? null) ?? []).map((part) => ({ id: part.id, ...dataOf(part) })),
    })),
  };
}

function dataOf({ data }: Row): object {
  try {
    return Object(JSON.parse(String(data)));
  } catch {
    return { type: "opencode-data", data };
  }
}
