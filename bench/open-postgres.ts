/** An engine on a real PostgreSQL that is started for the measurement, or why there is none. */
import { type Engine, type OpenOptions, open } from "../src/engine.ts";

export interface PostgresBench {
  readonly engine: Engine;
  readonly url: string;
  close(): Promise<void>;
}

export async function openPostgres(
  options: Omit<OpenOptions, "store"> = {},
): Promise<PostgresBench | { readonly missing: string }> {
  try {
    const { startPostgres } = await import("../test/start-postgres.ts");
    const server = await startPostgres();
    try {
      const engine = await open({ ...options, store: server.url });
      return { engine, url: server.url, close: () => engine.close().then(server.stop) };
    } catch (error) {
      await server.stop();
      throw error;
    }
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) };
  }
}
