import type { OpenclawDatabase } from "./openclaw-database.ts";
import type { HostDatabase } from "./sqlite/host-database.ts";
import type { Store } from "./store.ts";

export interface OpenStoreOptions {
  /**
   * Refuse a place that holds no store instead of making one, and open one that may only be read: writing to it
   * is refused then. Default false.
   */
  readonly mustExist?: boolean;
  /**
   * Where a SQLite database is too damaged to be opened, open a copy of what can be read of it, which may only be read and is
   * removed when the store is closed. Default false.
   */
  readonly readsDamaged?: boolean;
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

export interface SalvagedStore {
  /** Under which name the damaged database is kept. */
  readonly damagedFile: string;
  /** Rows that were read from it. */
  readonly rows: number;
  /** What could not be. */
  readonly problems: readonly string[];
}

/**
 * Puts a new database in the place of a damaged SQLite store, with every row that can still be read, and keeps the
 * damaged one under another name. Throws `busy` while anybody has it open.
 */
export async function salvageStore(
  config: { readonly dataDir: string },
  name: string,
): Promise<SalvagedStore> {
  const { salvageInPlace } = await import("./sqlite/salvage/salvage-in-place.ts");
  return salvageInPlace(config.dataDir, name);
}

/**
 * Puts the files of a damaged SQLite store aside, so that a new one can take their place, and gives the path under
 * which they are kept. Nobody may have it open in this process.
 */
export async function setStoreAside(config: { readonly dataDir: string }, name: string): Promise<string> {
  const { setDatabaseAside } = await import("./sqlite/set-aside.ts");
  return setDatabaseAside(config.dataDir, name);
}

/**
 * A database in which a host keeps its sessions, and which is not a store of ours. It is read through this door because
 * statements and drivers of databases live in the stores; what a session means is decided in `message/hosts/documents`.
 */
export async function openHostDatabase(file: string): Promise<HostDatabase> {
  const { hostDatabase } = await import("./sqlite/host-database.ts");
  return hostDatabase(file);
}

/** The database of an OpenClaw agent, for the same reason. What a session means is decided in `src/host/openclaw`. */
export async function openOpenclawDatabase(file: string): Promise<OpenclawDatabase> {
  const { openOpenclaw } = await import("./sqlite/read-openclaw.ts");
  return openOpenclaw(file);
}
