/**
 * A PostgreSQL that has pgvector: PGlite behind a port, since the server of the other tests has no such extension. It
 * runs in this process and serves all connections by one session.
 */
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { freePort, type RunningPostgres } from "./start-postgres.ts";

const MOST_CONNECTIONS = 20;

export async function startPgvector(): Promise<RunningPostgres> {
  const database = await PGlite.create({ extensions: { vector } });
  // Connections ask for it when they start, and its one session has started already.
  await database.exec("CREATE SCHEMA palimpsest; SET search_path = palimpsest");
  const port = await freePort();
  const server = new PGLiteSocketServer({
    db: database,
    host: "127.0.0.1",
    port,
    maxConnections: MOST_CONNECTIONS,
  });
  await server.start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres?sslmode=disable`,
    stop: async () => {
      await server.stop();
      await database.close();
    },
  };
}
