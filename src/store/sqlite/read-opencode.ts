/**
 * Reads the sessions in a database of OpenCode, in the form in which `opencode export` writes them. OpenCode may be writing
 * to it, so a session is read in one transaction. Columns differ between versions of OpenCode, so rows are returned
 * unchanged; only ids, times and `data` are relied on.
 */
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type { HostDatabaseOptions } from "./host-database.ts";

type Row = Record<string, SQLOutputValue>;

export function* readOpencode(
  database: DatabaseSync,
  _file: string,
  { seen }: HostDatabaseOptions,
): Generator<object> {
  for (const session of database.prepare("SELECT * FROM session ORDER BY time_created, id").all()) {
    database.exec("BEGIN");
    const state = stateOf(database, session);
    const isKnown = seen?.get(String(session.id)) === state;
    const value = isKnown ? null : sessionOf(database, session);
    database.exec("COMMIT");
    if (value !== null) yield value;
    // Only after the caller has processed it: a session that failed is read again.
    seen?.set(String(session.id), state);
  }
}

/** Changes with every message and part that is added or rewritten. */
function stateOf(database: DatabaseSync, { id, time_updated: updated }: Row): string {
  const newest = ["message", "part"].map((table) => {
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
