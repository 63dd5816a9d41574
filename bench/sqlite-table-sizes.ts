import { DatabaseSync } from "node:sqlite";

/** Bytes of each table with its indexes, once everything is in the database file itself. Largest first. */
export function sqliteTableSizes(file: string): Map<string, number> {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const rows = database
    .prepare(
      `SELECT coalesce(s.tbl_name, d.name) AS name, sum(d.pgsize) AS bytes
       FROM dbstat d LEFT JOIN sqlite_schema s ON s.name = d.name
       WHERE d.aggregate = TRUE GROUP BY 1 ORDER BY 2 DESC`,
    )
    .all();
  database.close();
  return new Map(rows.map((row) => [String(row.name), Number(row.bytes)]));
}
