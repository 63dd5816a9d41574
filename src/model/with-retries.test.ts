import { describe, expect, it } from "vitest";
import {
  ANSWER,
  fakeTime,
  noSuchModel,
  outcomeOf,
  outOfReach,
  REQUEST,
  refusedKey,
  scriptedComplete,
} from "../../test/scripted-complete.ts";
import { PalimpsestError } from "../errors.ts";
import { withRetries } from "./with-retries.ts";

interface Case {
  readonly why: string;
  readonly steps: readonly [unknown, ...unknown[]];
  readonly retries?: number;
  readonly chance?: number;
  readonly outcome: string;
  readonly calls: number;
  readonly waits: readonly number[];
}

const limit = new PalimpsestError("model-limit", "enough");
const CASES: readonly Case[] = [
  { why: "an answer is an answer", steps: [ANSWER], outcome: "answer", calls: 1, waits: [] },
  {
    why: "waits twice as long each time",
    steps: [outOfReach(), outOfReach(), outOfReach(), ANSWER],
    retries: 3,
    outcome: "answer",
    calls: 4,
    waits: [500, 1000, 2000],
  },
  {
    why: "waits half as long when chance is low",
    steps: [outOfReach(), outOfReach(), ANSWER],
    chance: 0,
    outcome: "answer",
    calls: 3,
    waits: [250, 500],
  },
  {
    why: "gives up after its retries",
    steps: [outOfReach()],
    outcome: "model-unavailable",
    calls: 3,
    waits: [500, 1000],
  },
  {
    why: "never waits longer than half a minute",
    steps: [outOfReach()],
    retries: 9,
    outcome: "model-unavailable",
    calls: 10,
    waits: [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000],
  },
  {
    why: "waits as long as the provider asks",
    steps: [outOfReach(7000), ANSWER],
    outcome: "answer",
    calls: 2,
    waits: [7000],
  },
  {
    why: "is not hastened by a provider that asks for less",
    steps: [outOfReach(1), ANSWER],
    outcome: "answer",
    calls: 2,
    waits: [500],
  },
  {
    why: "gives up at once when the provider asks for too long",
    steps: [outOfReach(30_001), ANSWER],
    outcome: "model-unavailable",
    calls: 1,
    waits: [],
  },
  {
    why: "can be switched off",
    steps: [outOfReach(), ANSWER],
    retries: 0,
    outcome: "model-unavailable",
    calls: 1,
    waits: [],
  },
  {
    why: "does not repeat a call with a wrong key",
    steps: [refusedKey(), ANSWER],
    outcome: "model-authentication",
    calls: 1,
    waits: [],
  },
  {
    why: "does not repeat what cannot succeed",
    steps: [noSuchModel(), ANSWER],
    outcome: "model-unavailable",
    calls: 1,
    waits: [],
  },
  {
    why: "stops where no more calls are allowed",
    steps: [outOfReach(), limit],
    outcome: "model-limit",
    calls: 2,
    waits: [500],
  },
];

describe("retrying", () => {
  it.each(CASES)("$why", async ({ steps, retries = 2, chance = 1, outcome, calls, waits }) => {
    const time = fakeTime();
    const inner = scriptedComplete(...steps);
    const complete = withRetries(inner.complete, { retries, wait: time.wait, chance: () => chance });
    expect(await outcomeOf(complete(REQUEST))).toBe(outcome);
    expect(inner.calls).toHaveLength(calls);
    expect(time.waits).toEqual(waits);
  });

  it("says how often it tried, and keeps what the last failure said", async () => {
    const { wait } = fakeTime();
    const complete = withRetries(scriptedComplete(outOfReach()).complete, {
      retries: 2,
      wait,
      chance: () => 1,
    });
    await expect(complete(REQUEST)).rejects.toMatchObject({
      message: "out of reach (after 3 attempts)",
      advice: "wait",
      cause: { status: 503 },
    });
  });

  it("ends its wait when the caller cancels", async () => {
    const abort = new AbortController();
    const inner = scriptedComplete(outOfReach());
    const wait = async (_: number, signal?: AbortSignal) => {
      abort.abort();
      signal?.throwIfAborted();
    };
    const complete = withRetries(inner.complete, { retries: 2, wait, chance: () => 1 });
    expect(await outcomeOf(complete({ ...REQUEST, signal: abort.signal }))).toBe("cancelled");
    expect(inner.calls).toHaveLength(1);
  });
});
