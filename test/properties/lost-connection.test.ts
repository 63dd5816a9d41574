import { rmSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import { type Engine, isPalimpsestError, open } from "../../src/index.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { type Fault, failOn } from "../../src/store/testing/faulty-store.ts";
import { Ledger } from "../crash/ledger.ts";
import { type Operation, perform } from "../crash/operation.ts";
import { OperationChooser } from "../crash/operation-chooser.ts";
import { resolveInFlight } from "../crash/resolve-in-flight.ts";
import { seededRandom } from "../crash/seeded-random.ts";
import { growTranscript, transcriptPath } from "../crash/transcript-file.ts";
import { compareView, viewStore } from "../crash/view-store.ts";
import { REPEATED, times } from "../run-length.ts";
import { ENGINES, type Place, temporaryFolder, temporaryPlace } from "../temporary-store.ts";

const RUNS = times({ short: 4, long: 80 });
const WAVES = 8;

describe.each(ENGINES)("a connection to %s that is lost now and then", (name) => {
  let place: Place;
  let store: Store;
  let runs = 0;
  beforeAll(async () => {
    place = await temporaryPlace(name);
    const databaseUrl = name === "postgres" ? place.store : null;
    store = await openStore({ dataDir: place.store, databaseUrl });
  });
  afterAll(async () => {
    await store.close();
    await place.dispose();
  });

  it("costs nothing and doubles nothing when the caller tries again", REPEATED, async () => {
    const faults = fc.array(fc.constantFrom<Fault>("none", "none", "before-commit", "after-commit"), {
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(fc.nat(), faults, async (seed, list) => {
        const tenant = `run-${++runs}`;
        const kinds: readonly Fault[] = [...list, "none"];
        const faulty = failOn(store, (commit) => kinds[commit % kinds.length] ?? "none");
        const engine = await open({ store: faulty, config: { tenant, logLevel: "silent" } });
        const run = new UnsteadyRun(engine);
        await run.work(seed);
        const { problems } = await checkIntegrity(store, { scope: { tenant, agent: "default" } });
        expect(problems).toEqual([]);
        expect(run.lost > 0).toBe(kinds.some((kind) => kind !== "none"));
      }),
      { numRuns: RUNS },
    );
  });
});

class UnsteadyRun {
  /** How often a connection was lost. */
  lost = 0;
  readonly #engine: Engine;
  readonly #folder = temporaryFolder();
  readonly #ledger = new Ledger();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async work(seed: number): Promise<void> {
    const random = seededRandom(String(seed));
    const chooser = new OperationChooser(random, "turn", []);
    try {
      for (let wave = 0; wave < WAVES; wave++)
        for (const operation of chooser.nextWave()) {
          if (operation.kind === "import") this.#grow(operation.transcript, random.below(100));
          chooser.learn(operation, await this.#insist(operation));
        }
      expect(compareView(await viewStore(this.#engine), this.#ledger)).toEqual([]);
    } finally {
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  #grow(name: string, tornAt: number): void {
    growTranscript(transcriptPath(this.#folder, name), name, 3, tornAt);
  }

  /** Does it again until it is acknowledged. What it did before is seen in the store, wholly or not at all. */
  async #insist(operation: Operation) {
    for (;;) {
      try {
        const answer = await perform(this.#engine, this.#folder, operation);
        this.#ledger.apply(operation, answer);
        return answer;
      } catch (error) {
        if (!isPalimpsestError(error, "store-unavailable")) throw error;
        this.lost++;
        const view = await viewStore(this.#engine);
        const happened = resolveInFlight(operation, this.#ledger, view);
        if (happened !== undefined) this.#ledger.apply(operation, happened);
        expect(compareView(view, this.#ledger)).toEqual([]);
      }
    }
  }
}
