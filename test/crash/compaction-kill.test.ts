import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { type Engine, open } from "../../src/index.ts";
import { findLosses } from "../properties/losslessness.ts";
import { REPEATED, times } from "../run-length.ts";
import { Compactor, type Said } from "./compactor.ts";
import { COMPACTOR_SETTINGS, turnOf } from "./compactor-process.ts";
import { seededRandom } from "./seeded-random.ts";
import { type StorePlace, storeKinds } from "./store-kinds.ts";

const ROUNDS = times({ short: 3, long: 80 });

describe.each(storeKinds(inject("postgresUrl")))("a process killed while it compacts on $name", (kind) => {
  const seed = randomBytes(4).toString("hex");
  const random = seededRandom(seed);
  const committed = new Map<string, object>();
  let place: StorePlace;
  let spare: Compactor;
  beforeEach(async () => {
    place = await kind.create();
    spare = new Compactor();
  });
  afterEach(async () => {
    await spare.end();
    await place.remove();
  });

  it(
    "loses no turn that was acknowledged (promise: durable) and leaves no half summary (promise: atomic)",
    REPEATED,
    async () => {
      let passes = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const said = await runUntilKilled(`r${round}`);
        passes += said.filter(({ what }) => what === "pass").length;
        await place.settle();
        await look(said, `seed ${seed}, round ${round}`);
      }
      // Kills that hit no compaction would prove nothing.
      expect(passes).toBeGreaterThan(ROUNDS * 2);
    },
  );

  /** The next process loads while this one works. */
  async function runUntilKilled(round: string): Promise<Said[]> {
    const compactor = spare;
    spare = new Compactor();
    try {
      await compactor.prepare({ store: place.address, conversation: "s", round, work: "go on" });
      compactor.begin();
      return await compactor.killAfter(10 + random.below(40), random.below(30));
    } finally {
      await compactor.end();
    }
  }

  async function look(said: readonly Said[], when: string): Promise<void> {
    const engine = await open({ store: place.address, config: COMPACTOR_SETTINGS, background: "off" });
    try {
      for (const { what, value } of said) if (what === "done") remember(value);
      const last = said.findLast(({ what }) => what === "about")?.value;
      // Nobody heard whether the last turn was committed: it is there wholly or not at all.
      if (last !== undefined && (await isThere(engine, last))) remember(last);
      const losses = await findLosses({
        store: engine.store,
        conversation: "s",
        committed,
        budgets: [2_000],
      });
      expect(losses, when).toEqual([]);
    } finally {
      await engine.close();
    }
  }

  function remember(key: string): void {
    for (const [index, message] of turnOf(key).entries()) committed.set(`${key}#${index}`, message);
  }

  async function isThere({ context }: Engine, key: string): Promise<boolean> {
    const { messageCount } = await context.conversations.get("s");
    const { messages } = await context.read({ conversation: "s", from: Math.max(1, messageCount - 9) });
    return messages.some((message) => message.key === `${key}#0`);
  }
});
