/** Makes sure that the engine and the hand-written loop wrote the same rows: otherwise their times say nothing. */
import { DatabaseSync } from "node:sqlite";

const TABLES = ["conversations", "message_parts", "turns", "context_items", "transcript_lines"];
const FIGURES = [
  ...TABLES.map((table) => `SELECT '${table}' AS what, count(*) AS amount FROM ${table}`),
  "SELECT 'messages', count(*) FROM messages",
  "SELECT 'tokens', sum(token_count) FROM messages",
  "SELECT 'stored bytes', sum(length(CAST(content AS BLOB))) FROM messages",
  "SELECT 'keys', sum(length(message_key)) FROM messages",
  "SELECT 'tool parts', count(tool_call_id) FROM message_parts",
].join(" UNION ALL ");

export function compareStores(engineFile: string, loopFile: string): void {
  const [engine, loop] = [readFigures(engineFile), readFigures(loopFile)];
  for (const [what, amount] of engine)
    if (loop.get(what) !== amount)
      throw new Error(`the loop did other work: ${what} is ${loop.get(what)}, the engine has ${amount}`);
}

function readFigures(file: string): Map<string, number> {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return new Map(
      database
        .prepare(FIGURES)
        .all()
        .map((row) => [String(row.what), Number(row.amount)]),
    );
  } finally {
    database.close();
  }
}
