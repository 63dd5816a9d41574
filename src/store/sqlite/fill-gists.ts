/** Gives memories of an older version what they are looked up by when somebody says the same. */
import { gistOfMemory } from "../gist-of-memory.ts";
import type { Database } from "./database.ts";

const BATCH = 1_000;

export function fillGists(database: Database): void {
  for (let last = 0; ; ) {
    const rows = database.all<{ memory_id: number; abstract: string }>(
      "SELECT memory_id, abstract FROM memories WHERE memory_id > ? ORDER BY memory_id LIMIT ?",
      last,
      BATCH,
    );
    for (const row of rows)
      database.run("UPDATE memories SET gist = ? WHERE memory_id = ?", gistOfMemory(row), row.memory_id);
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.memory_id;
  }
}
