import type { OpenclawDatabase } from "./openclaw-database.ts";
import type { HostDatabase } from "./sqlite/host-database.ts";
import type { Store } from "./store.ts";

export interface OpenStoreOptions {
  /**
   * Fail if there is no store instead of creating one, and open a store that may only be read: writing to it is refused then.
   * Default false.
   */
  readonly mustExist?: boolean;
  /**
   * If a SQLite database is too damaged to be opened, open a copy of its readable rows. The copy is read-only and is removed
   * when the store is closed. Default false.
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
  /** The name under which the damaged database is kept. */
  readonly damagedFile: string;
  /** Rows that were read from it. */
  readonly rows: number;
  /** What could not be read. */
  readonly problems: readonly string[];
  /** The part of it that a check of the new database does not report. */
  readonly unchecked: readonly string[];
}

/**
 * Replaces a damaged SQLite store by a new database with every row that can still be read, and keeps the damaged one under
 * another name. Throws `busy` while another connection has it open.
 */
export async function salvageStore(
  config: { readonly dataDir: string },
  name: string,
): Promise<SalvagedStore> {
  const { salvageInPlace } = await import("./sqlite/salvage/salvage-in-place.ts");
  return salvageInPlace(config.dataDir, name);
}

/**
 * Renames the files of a damaged SQLite store, so that a new one can replace them, and returns their new path. It must not be
 * open in this process.
 */
export async function setStoreAside(config: { readonly dataDir: string }, name: string): Promise<string> {
  const { setDatabaseAside } = await import("./sqlite/set-aside.ts");
  return setDatabaseAside(config.dataDir, name);
}

/**
 * A database in which a host keeps its sessions, and which is not a Palimpsest store. It is opened here because statements
 * and database drivers live in the stores; `message/hosts/documents` interprets the sessions.
 */
export async function openHostDatabase(file: string): Promise<HostDatabase> {
  const { hostDatabase } = await import("./sqlite/host-database.ts");
  return hostDatabase(file);
}

/** The database of an OpenClaw agent, for the same reason. `src/host/openclaw` interprets its sessions. */
export async function openOpenclawDatabase(file: string): Promise<OpenclawDatabase> {
  const { openOpenclaw } = await import("./sqlite/read-openclaw.ts");
  return openOpenclaw(file);
}
