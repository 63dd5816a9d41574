/**
 * Changes of the schema since version 8, for both engines. A new store is made by the `schema.sql` of its engine and then
 * by these, in order; an older store gets those that it lacks. Earlier versions are in `<engine>/migrations`, where each
 * engine counted on its own: SQLite to 7, PostgreSQL to 8. A released entry never changes; a correction is another entry.
 */
import type { EngineName } from "./store.ts";

export interface Migration {
  /** Counts up from 9. */
  readonly version: number;
  /** One text where both engines can run it, for example `ALTER TABLE summaries ADD COLUMN note TEXT`. */
  readonly sql: string | Readonly<Record<EngineName, string>>;
}

export const MIGRATIONS: readonly Migration[] = [
  {
    version: 9,
    // `erased_keys`: entries of hosts that were erased, by salted digests of what identifies them, and the message that had
    // the entry: whatever comes with one of them later comes as erased. An index of what the audit log says.
    // `erasure_cleanups`: since when the store's own files may hold erased words; gone once they were cleaned. `step`: what is left to do, `files` or only the `log`.
    sql: `CREATE TABLE erased_keys (
  tenant           TEXT NOT NULL,
  agent            TEXT NOT NULL,
  salt             TEXT NOT NULL,
  digest           TEXT NOT NULL,
  conversation_uid TEXT NOT NULL,
  seq              INTEGER NOT NULL,
  PRIMARY KEY (tenant, agent, salt, digest, conversation_uid, seq)
);
CREATE TABLE erasure_cleanups (
  tenant TEXT PRIMARY KEY,
  at     TEXT NOT NULL,
  step   TEXT NOT NULL
)`,
  },
];

/** The version that these changes bring a store to whose `schema.sql` makes version `base`. */
export function versionAfter(base: number, changes: readonly Migration[]): number {
  return Math.max(base, ...changes.map(({ version }) => version));
}

/** One after the other, as this engine runs them. */
export function sqlOf(changes: readonly Migration[], engine: EngineName): string {
  return changes.map(({ sql }) => `${typeof sql === "string" ? sql : sql[engine]};\n`).join("");
}
