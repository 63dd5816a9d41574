/**
 * Changes of the schema since version 8, for both engines. A new store is made by the `schema.sql` of its engine and then
 * by these, in order; an older store gets those that it lacks. Earlier versions are in `<engine>/migrations`, where each
 * engine counted on its own: SQLite to 7, PostgreSQL to 8. A released entry never changes; a correction is another entry.
 */
import type { EngineName } from "./store.ts";

interface Migration {
  /** Counts up from 9. */
  readonly version: number;
  /** One text where both engines can run it, for example `ALTER TABLE summaries ADD COLUMN note TEXT`. */
  readonly sql: string | Readonly<Record<EngineName, string>>;
}

export const MIGRATIONS: readonly Migration[] = [];

/** The version of a store whose `schema.sql` makes version `base`. */
export function newestVersion(base: number): number {
  return Math.max(base, ...MIGRATIONS.map(({ version }) => version));
}

/** What brings a store to this version, or every change since `schema.sql`; empty where an engine has nothing to do. */
export function migrationFor(engine: EngineName, version?: number): string {
  return MIGRATIONS.filter((migration) => version === undefined || migration.version === version)
    .map(({ sql }) => `${typeof sql === "string" ? sql : sql[engine]};\n`)
    .join("");
}
