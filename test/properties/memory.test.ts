import fc from "fast-check";
import { afterAll, beforeAll, describe, it } from "vitest";
import { type Engine, open } from "../../src/index.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";
import { memoryAction, pause } from "./memory-actions.ts";
import { MemoryRun } from "./memory-run.ts";
import { TOPIC_EMBEDDER } from "./memory-words.ts";

const RUNS = { sqlite: 60, postgres: 15 };
const START = Date.parse("2026-03-01T10:00:00.000Z");

describe.each(ENGINES)("any sequence of calls to memory on %s", (name) => {
  let place: Place;
  let engine: Engine;
  let now = START;
  let runs = 0;
  beforeAll(async () => {
    place = await temporaryPlace(name);
    engine = await openEngine();
  });
  afterAll(async () => {
    await engine.close();
    await place.dispose();
  });

  const openEngine = () =>
    open({ store: place.store, embedder: TOPIC_EMBEDDER, background: "off", clock: () => now });

  it("leaves what rows in memory would hold", { timeout: 600_000 }, async () => {
    const steps = fc.array(fc.tuple(memoryAction, pause), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(steps, async (actions) => {
        const scope = { tenant: `run-${++runs}`, agent: "main" };
        const run = new MemoryRun(engine.memoryOf(scope), async () => {
          await engine.close();
          engine = await openEngine();
          return engine.memoryOf(scope);
        });
        for (const [action, passes] of actions) {
          now += passes;
          await run.take(action);
        }
        await run.compare(run.model.memories);
      }),
      { numRuns: RUNS[name] },
    );
  });
});
