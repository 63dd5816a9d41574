import type { Store } from "./store.ts";

export interface OpenStoreOptions {
  /**
   * Refuse a place that holds no store instead of making one, and open one that may only be read: writing to it
   * is refused then. Default false.
   */
  readonly mustExist?: boolean;
}

/** Opens the store that the configuration names. An engine's code is loaded only when it is used. */
export async function openStore(
  config: { readonly dataDir: string; readonly databaseUrl: string | null },
  options: OpenStoreOptions = {},
): Promise<Store> {
  if (config.databaseUrl !== null) {
    const { openPostgresStore } = await import("./postgres/index.ts");
    return openPostgresStore({ url: config.databaseUrl, ...options });
  }
  const { openSqliteStore } = await import("./sqlite/index.ts");
  return openSqliteStore({ dataDir: config.dataDir, ...options });
}
