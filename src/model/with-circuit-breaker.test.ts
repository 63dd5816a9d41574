import { describe, expect, it } from "vitest";
import {
  ANSWER,
  fakeTime,
  outcomeOf,
  outOfReach,
  REQUEST,
  refusedKey,
  scriptedComplete,
} from "../../test/scripted-complete.ts";
import type { CompletionResult } from "./complete.ts";
import { isAuthenticationFailure } from "./model-failure.ts";
import { withCircuitBreaker } from "./with-circuit-breaker.ts";

const COOLDOWN = 1000;
const A = "answer";
const K = "model-authentication";
const U = "model-unavailable";

interface Case {
  readonly why: string;
  readonly steps: readonly [unknown, ...unknown[]];
  /** A number lets time pass; "call" makes a call. */
  readonly acts: readonly (number | "call")[];
  readonly outcomes: readonly string[];
  /** Calls that reached the model. */
  readonly calls: number;
}

const call = "call" as const;
const CASES: readonly Case[] = [
  {
    why: "opens after three refusals in a row",
    steps: [refusedKey()],
    acts: [call, call, call, call, call],
    outcomes: [K, K, K, U, U],
    calls: 3,
  },
  {
    why: "counts anew after an answer",
    steps: [refusedKey(), refusedKey(), ANSWER, refusedKey()],
    acts: [call, call, call, call, call, call],
    outcomes: [K, K, A, K, K, K],
    calls: 6,
  },
  {
    why: "neither counts nor forgets because of other failures",
    steps: [refusedKey(), refusedKey(), outOfReach(), refusedKey()],
    acts: [call, call, call, call, call],
    outcomes: [K, K, U, K, U],
    calls: 4,
  },
  {
    why: "never opens because of other failures",
    steps: [outOfReach()],
    acts: [call, call, call, call, call],
    outcomes: [U, U, U, U, U],
    calls: 5,
  },
  {
    why: "stays open until the cooldown is over",
    steps: [refusedKey()],
    acts: [call, call, call, COOLDOWN - 1, call],
    outcomes: [K, K, K, U],
    calls: 3,
  },
  {
    why: "closes when the trial is answered",
    steps: [refusedKey(), refusedKey(), refusedKey(), ANSWER, refusedKey(), refusedKey(), ANSWER],
    acts: [call, call, call, COOLDOWN, call, call, call, call],
    outcomes: [K, K, K, A, K, K, A],
    calls: 7,
  },
  {
    why: "opens again for a cooldown when the trial is refused",
    steps: [refusedKey()],
    acts: [call, call, call, COOLDOWN, call, call, COOLDOWN - 1, call, 1, call],
    outcomes: [K, K, K, K, U, U, K],
    calls: 5,
  },
  {
    why: "tries again when the trial said nothing about the key",
    steps: [refusedKey(), refusedKey(), refusedKey(), outOfReach(), ANSWER],
    acts: [call, call, call, COOLDOWN, call, call],
    outcomes: [K, K, K, U, A],
    calls: 5,
  },
];

describe("the circuit breaker", () => {
  const options = { model: "anthropic/test", threshold: 3, cooldownMs: COOLDOWN };

  it.each(CASES)("$why", async ({ steps, acts, outcomes, calls }) => {
    const time = fakeTime();
    const inner = scriptedComplete(...steps);
    const complete = withCircuitBreaker(inner.complete, { ...options, clock: time.clock });
    const seen: string[] = [];
    for (const act of acts)
      if (act === "call") seen.push(await outcomeOf(complete(REQUEST)));
      else time.pass(act);
    expect(seen).toEqual(outcomes);
    expect(inner.calls).toHaveLength(calls);
  });

  it("lets only one call through as a trial", async () => {
    const time = fakeTime();
    const trial = Promise.withResolvers<CompletionResult>();
    let calls = 0;
    const complete = withCircuitBreaker(
      async () => {
        calls += 1;
        if (calls <= 3) throw refusedKey();
        return trial.promise;
      },
      { ...options, clock: time.clock },
    );
    for (let i = 0; i < 3; i++) await outcomeOf(complete(REQUEST));
    time.pass(COOLDOWN);
    const first = outcomeOf(complete(REQUEST));
    expect(await outcomeOf(complete(REQUEST))).toBe(U);
    trial.resolve(ANSWER);
    expect(await first).toBe(A);
    // Closed again: calls need not wait for each other.
    const both = [complete(REQUEST), complete(REQUEST)];
    expect(await Promise.all(both.map(outcomeOf))).toEqual([A, A]);
    expect(calls).toBe(6);
  });

  it("says until when, why, and what to do", async () => {
    const { clock } = fakeTime();
    const complete = withCircuitBreaker(scriptedComplete(refusedKey()).complete, {
      ...options,
      threshold: 1,
      clock,
    });
    await outcomeOf(complete(REQUEST));
    const error: unknown = await complete(REQUEST).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      message: "anthropic/test is not called before 2026-01-01T00:00:01.000Z: refused the key",
      retryable: true,
    });
    expect(isAuthenticationFailure(error)).toBe(true);
  });
});
