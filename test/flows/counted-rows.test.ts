/** A store from before rows were counted has what is there counted when it is opened; whatever is written later is counted as well. */
import { rmSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { open } from "../../src/index.ts";
import { runOperation } from "../../src/operations/run-operation.ts";
import { verify } from "../../src/operations/store/verify.ts";
import { fillStore } from "../bad-input/damaged-store.ts";
import { type Beside, beside } from "../beside-store.ts";
import { ENGINES, type Place, temporaryFolder, temporaryPlace } from "../temporary-store.ts";
import { undoSince } from "./undo-migrations.ts";

describe.each(ENGINES)("a store from before rows were counted, on %s", (kind) => {
  const folder = temporaryFolder();
  let place: Place;
  let other: Beside;

  beforeEach(async () => {
    place = await temporaryPlace(kind);
    await fillStore(place.store, path.join(folder, "transcripts"), 3);
    other = await beside(kind, place.store);
    for (const sql of undoSince(16, kind).split("; ")) await other.query(sql);
    await other.query(
      kind === "sqlite"
        ? "PRAGMA user_version = 16"
        : "UPDATE store_meta SET value = '16' WHERE name = 'schema_version'",
    );
  });

  afterEach(async () => {
    await other.close();
    await place.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  it("misses rows that are deleted once it was opened", async () => {
    const engine = await open({ store: place.store, background: "off", config: { logLevel: "silent" } });
    expect((await runOperation(verify, engine, {})).problems).toEqual([]);
    for (const table of ["assembly_receipts", "memory_sources", "memory_decisions"]) {
      await other.query(`DELETE FROM ${table}`);
      const { problems } = await runOperation(verify, engine, {});
      expect([table, problems]).not.toEqual([table, []]);
    }
    await engine.close();
  });
});
