import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { REPEATED, times } from "../run-length.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";
import {
  type ContextAction,
  type ContextSettings,
  contextAction,
  contextSettings,
} from "./context-actions.ts";
import { ContextRun } from "./context-run.ts";

const RUNS = times({ short: 5, long: 250 });
const MOST_STEPS = 25;
/** The conversation is looked at after so many steps, with one budget; and in the end with all of them. */
const STEPS_BETWEEN = 6;

describe.each(ENGINES)("any sequence of turns, compactions, resets and erasures on %s", (name) => {
  let place: Place;
  let runs = 0;
  let deepest = -1;
  beforeAll(async () => {
    place = await temporaryPlace(name);
  });
  afterAll(() => place.dispose());

  it(
    "keeps every word in reach (promise: reachable) and readable (promise: readable)",
    REPEATED,
    async () => {
      const sequence = fc.array(contextAction, { minLength: 4, maxLength: MOST_STEPS });
      await fc.assert(fc.asyncProperty(contextSettings, sequence, keepsEveryWord), {
        numRuns: RUNS,
        examples: EXAMPLES,
        endOnFailure: true,
      });
      // Shallow graphs would prove little about deep ones.
      expect(deepest).toBeGreaterThanOrEqual(2);
    },
  );

  async function keepsEveryWord(settings: ContextSettings, actions: readonly ContextAction[]): Promise<void> {
    const run = await ContextRun.start(place.store, { tenant: `run-${++runs}`, agent: "default" }, settings);
    try {
      for (const [index, action] of actions.entries()) {
        await run.take(action);
        if (index % STEPS_BETWEEN === STEPS_BETWEEN - 1) expect(await run.losses([2_000])).toEqual([]);
      }
      expect(await run.losses()).toEqual([]);
      deepest = Math.max(deepest, run.deepest);
    } finally {
      await run.end();
    }
  }
});

const SMALL: ContextSettings = {
  leafChunkTokens: 200,
  freshTailCount: 2,
  leafMinFanout: 2,
  condensedMinFanout: 2,
  leafTargetTokens: 60,
  model: "none",
};
const say = (shape: Extract<ContextAction, { do: "say" }>["shape"], times = 1): ContextAction => ({
  do: "say",
  shape,
  times,
});
const COMPACT: ContextAction = { do: "compact", budget: 500, untilUnder: 1 };

/** Sequences that are easily got wrong, tried each time before the random ones. */
const EXAMPLES: [ContextSettings, ContextAction[]][] = [
  // Three levels, taken apart in the middle, and put together again.
  [
    { ...SMALL, model: "terse" },
    [
      say("prose", 12),
      COMPACT,
      { do: "erase", at: 5 },
      say("calls of anthropic", 3),
      COMPACT,
      { do: "start anew", retainDepth: 1 },
      say("prose", 4),
      COMPACT,
    ],
  ],
  // Tool pairs that a cut must not part, and calls that nobody answered.
  [SMALL, [say("late result", 3), say("call without a result", 2), say("call of openai", 3), COMPACT]],
  [SMALL, [say("large arguments", 2), say("huge"), COMPACT, { do: "compact twice", budget: 500 }]],
  // System messages between what is summarised.
  [SMALL, [say("system", 3), say("prose", 3), say("tiny", 3), COMPACT, { do: "erase", at: 0 }, COMPACT]],
];
