import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import { type Engine, open } from "../../src/index.ts";
import { readArchive, writeArchive } from "../../src/store/archive.ts";
import { times } from "../run-length.ts";
import { ENGINES, type Place, temporaryFolder, temporaryPlace } from "../temporary-store.ts";
import { APART, action } from "./actions.ts";
import { LibraryRun } from "./library-run.ts";

const RUNS = times({ short: 3, long: 30 });

describe.each(ENGINES)("what random calls left on %s", (name) => {
  let place: Place;
  let engine: Engine;
  let folder: string;
  const runs: LibraryRun[] = [];

  beforeAll(async () => {
    place = await temporaryPlace(name);
    folder = temporaryFolder();
    engine = await open({ store: place.store, config: APART });
    const sequences = fc.sample(fc.array(action, { minLength: 15, maxLength: 25 }), RUNS);
    for (const [index, actions] of sequences.entries()) {
      const run = new LibraryRun(engine, { tenant: `tenant-${index}`, agent: "default" }, folder);
      for (const next of actions) await run.take(next);
      runs.push(run);
    }
  });
  afterAll(async () => {
    await engine.close();
    await place.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(ENGINES)("moves to %s without a difference, and replays are recognised there", async (other) => {
    const original = path.join(folder, `${other}.jsonl`);
    const [copied, again] = [`${original}.copy`, `${original}.again`];
    await writeArchive(engine.store, original);
    const target = await temporaryPlace(other);
    const copy = await open({ store: target.store });
    try {
      await copy.store.load(readArchive(original), { replace: false });
      await writeArchive(copy.store, copied);
      expect(readFileSync(copied).equals(readFileSync(original))).toBe(true);
      expect((await checkIntegrity(copy.store)).problems).toEqual([]);
      const report = await copy.store.load(readArchive(original), { replace: false });
      expect(report).toMatchObject({ conversations: 0, messages: 0 });
      await writeArchive(copy.store, again);
      expect(readFileSync(again).equals(readFileSync(original))).toBe(true);
      for (const run of runs) await run.compareIn(copy);
    } finally {
      await copy.close();
      await target.dispose();
    }
  });
});
