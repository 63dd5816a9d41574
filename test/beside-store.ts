/** A connection beside that of the engine: damage is done behind its back, as a bug or a stranger would. */
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { POSTGRES } from "../src/store/postgres/dialect.ts";
import { SQLITE } from "../src/store/sqlite/dialect.ts";
import { DATABASE_NAME } from "../src/store/sqlite/index.ts";
import type { Dialect } from "../src/store/statement.ts";

type Row = Record<string, unknown>;

export interface Beside {
  readonly dialect: Dialect;
  readonly query: (sql: string) => Promise<Row[]>;
  readonly close: () => Promise<void>;
}

export async function beside(kind: string, store: string): Promise<Beside> {
  if (kind === "sqlite") {
    const database = new DatabaseSync(path.join(store, DATABASE_NAME), {
      timeout: 5_000,
      enableForeignKeyConstraints: false,
    });
    return {
      dialect: SQLITE,
      query: async (sql) => database.prepare(sql).all(),
      close: async () => database.close(),
    };
  }
  const client = new pg.Client(store);
  await client.connect();
  await client.query("SET search_path = palimpsest; SET session_replication_role = replica");
  return {
    dialect: POSTGRES,
    query: async (sql) => (await client.query<Row>(sql)).rows,
    close: () => client.end(),
  };
}
