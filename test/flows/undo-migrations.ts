/** What takes a store back to an older schema: drops the indexes, columns and tables that migrations have added since. */
import { MIGRATIONS, sqlOf } from "../../src/store/migrations.ts";
import type { EngineName } from "../../src/store/store.ts";

/** The version from which every later change only adds. */
const OLDEST = 11;

export function undoSince(version: number, engine: EngineName): string {
  const added = sqlOf(
    MIGRATIONS.filter((change) => change.version > version),
    engine,
  );
  const rebuilt = sqlOf(
    MIGRATIONS.filter((change) => change.version <= OLDEST),
    engine,
  );
  const all = (pattern: RegExp) => [...added.matchAll(pattern)].map(([, ...names]) => names);
  const tables = all(/CREATE TABLE (\w+)/g).filter(([table]) => !rebuilt.includes(`CREATE TABLE ${table} `));
  return [
    ...all(/CREATE INDEX (\w+)/g).map(([index]) => `DROP INDEX ${index};`),
    ...all(/ALTER TABLE (\w+) ADD COLUMN (\w+)/g).map(
      ([table, name]) => `ALTER TABLE ${table} DROP COLUMN ${name};`,
    ),
    ...tables.map(([table]) => `DROP TABLE ${table};`),
  ].join(" ");
}
