/** Whatever is changed in a row that has a seal, in whichever of its columns, is noticed on either engine. */
import { rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, open } from "../../src/index.ts";
import { SEALED_TABLES } from "../../src/store/reads/broken-rows.ts";
import type { SealedTable } from "../../src/store/sealed-table.ts";
import { SQLITE } from "../../src/store/sqlite/dialect.ts";
import type { Dialect } from "../../src/store/statement.ts";
import { fillStore } from "../bad-input/damaged-store.ts";
import { type Beside, beside } from "../beside-store.ts";
import { ENGINES, type Place, temporaryFolder, temporaryPlace } from "../temporary-store.ts";

/** One byte cannot make another allowed value of these, and the database refuses the others. */
const CHECKED = ["kind", "stage", "quality", "lane"];

/** Another value for a column, in SQL. */
function otherValue(type: SealedTable["columns"][string], column: string, dialect: Dialect): string {
  if (type === "time") return "'2001-01-01T00:00:00.000Z'";
  if (type === "hash") return dialect.bytes("00");
  if (type === "boolean") return dialect === SQLITE ? `1 - ${column}` : `NOT ${column}`;
  if (type === "text" || type === "shown") return `coalesce(${column}, '') || 'x'`;
  return `coalesce(${column}, 0) + 77`;
}

describe.each(ENGINES)("sealed tables on %s", (kind) => {
  const folder = temporaryFolder();
  let place: Place;
  let engine: Engine;
  let other: Beside;

  beforeAll(async () => {
    place = await temporaryPlace(kind);
    await fillStore(place.store, path.join(folder, "transcripts"));
    engine = await open({ store: place.store, background: "off", config: { logLevel: "silent" } });
    other = await beside(kind, place.store);
  });

  afterAll(async () => {
    await other.close();
    await engine.close();
    await place.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  // promise: evident
  it.each(SEALED_TABLES.map((sealed) => [sealed.table, sealed] as const))(
    "have a seal over every column of %s",
    async (table, sealed) => {
      expect(await engine.store.checkEngine()).toEqual([]);
      const [row] = await other.query(`SELECT seal FROM ${table} WHERE seal IS NOT NULL LIMIT 1`);
      expect(row).toBeDefined();
      const where = `seal = ${row?.seal}`;
      const unnoticed: string[] = [];
      for (const [name, type] of Object.entries(sealed.columns)) {
        const column = type === "message" ? other.dialect.messageColumn : (sealed.names[name] ?? name);
        if (CHECKED.includes(column)) continue;
        await other.query("DROP TABLE IF EXISTS kept");
        await other.query(`CREATE TABLE kept AS SELECT * FROM ${table} WHERE ${where}`);
        await other.query(
          `UPDATE ${table} SET ${column} = ${otherValue(type, column, other.dialect)} WHERE ${where}`,
        );
        const problems = await engine.store.checkEngine();
        if (!problems.some((problem) => problem.startsWith(`${table} (`))) unnoticed.push(name);
        await other.query(
          `UPDATE ${table} SET ${column} = (SELECT ${column} FROM kept LIMIT 1) WHERE ${where}`,
        );
        await other.query("DROP TABLE kept");
      }
      expect(unnoticed).toEqual([]);
    },
  );
});
