/** Gives summaries of an older version the hash of their text. One that cannot be read gets none: `verify` names it. */
import { hashOriginal } from "../content-encoding.ts";
import type { Database } from "./database.ts";

const BATCH = 1_000;

type Row = { id: number; encoding: string; content: Uint8Array | null };

export function fillContentHashes(database: Database): void {
  for (let last = 0; ; ) {
    const rows = database.all<Row>(
      `SELECT rowid AS id, encoding, CAST(content AS BLOB) AS content FROM summaries WHERE rowid > ?
       ORDER BY rowid LIMIT ?`,
      last,
      BATCH,
    );
    for (const { id, encoding, content } of rows)
      database.run(
        "UPDATE summaries SET content_hash = ? WHERE rowid = ?",
        hashOriginal(encoding, content),
        id,
      );
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.id;
  }
}
