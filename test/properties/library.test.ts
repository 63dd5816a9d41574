import { rmSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import { type Engine, open } from "../../src/index.ts";
import { makeFolder, type StorePlace, storeKinds } from "../crash/store-kinds.ts";
import { action } from "./actions.ts";
import { LibraryRun } from "./library-run.ts";

const RUNS = 40;

describe.each(storeKinds(inject("postgresUrl")))("any sequence of calls on $name", (kind) => {
  let place: StorePlace;
  let engine: Engine;
  let folder: string;
  let runs = 0;
  beforeAll(async () => {
    place = await kind.create();
    folder = await makeFolder();
    engine = await open({ store: place.address });
  });
  afterAll(async () => {
    await engine.close();
    await place.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it("leaves what a list in memory would hold", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 25 }), async (actions) => {
        // Each run has a tenant of its own: what it sees of the others would be a difference.
        const scope = { tenant: `run-${++runs}`, agent: "default" };
        const run = new LibraryRun(engine, scope, folder);
        for (const next of actions) await run.take(next);
        expect((await checkIntegrity(engine.store, { scope })).problems).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});
