import pg from "pg";

/** Bytes of each table in the store's schema, with its indexes and what is kept out of line, vacuumed. */
export async function postgresTableSizes(url: string): Promise<Map<string, number>> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query("VACUUM ANALYZE");
    const { rows } = await client.query<{ name: string; bytes: string }>(
      `SELECT c.relname AS name, pg_total_relation_size(c.oid) AS bytes
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind = 'r' AND n.nspname = 'palimpsest' ORDER BY 2 DESC`,
    );
    return new Map(rows.map((row) => [row.name, Number(row.bytes)]));
  } finally {
    await client.end();
  }
}
