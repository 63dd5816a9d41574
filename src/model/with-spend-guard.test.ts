import { describe, expect, it } from "vitest";
import {
  ANSWER,
  fakeTime,
  outcomeOf,
  outOfReach,
  REQUEST,
  scriptedComplete,
} from "../../test/scripted-complete.ts";
import { CallWindow, withSpendGuard } from "./with-spend-guard.ts";

const WINDOW = 600;
const A = "answer";
const L = "model-limit";
const U = "model-unavailable";
const call = "call" as const;

const CASES: readonly [
  string,
  readonly [unknown, ...unknown[]],
  readonly (number | "call")[],
  readonly string[],
][] = [
  ["allows as many calls as configured", [ANSWER], [call, call, call, call], [A, A, A, L]],
  ["counts calls that fail", [outOfReach()], [call, call, call, call], [U, U, U, L]],
  [
    "is full until the oldest call is a window ago",
    [ANSWER],
    [call, call, call, WINDOW - 1, call],
    [A, A, A, L],
  ],
  ["has room again a window later", [ANSWER], [call, call, call, WINDOW, call], [A, A, A, A]],
  [
    "frees one place after the other",
    [ANSWER],
    [call, 200, call, 200, call, 200, call, call, 200, call, call],
    [A, A, A, A, L, A, L],
  ],
  [
    "does not count the calls that it refused",
    [ANSWER],
    [call, call, call, 300, call, call, call, 300, call, call, call],
    [A, A, A, L, L, L, A, A, A],
  ],
];

describe("the spend guard", () => {
  const limit = { maxCalls: 3, windowMs: WINDOW };

  it.each(CASES)("%s", async (_, steps, acts, outcomes) => {
    const time = fakeTime();
    const window = new CallWindow({ ...limit, clock: time.clock, setting: "summaryMaxCallsPerWindow" });
    const complete = withSpendGuard(scriptedComplete(...steps).complete, { window });
    const seen: string[] = [];
    for (const act of acts)
      if (act === "call") seen.push(await outcomeOf(complete(REQUEST)));
      else time.pass(act);
    expect(seen).toEqual(outcomes);
  });

  it("counts calls that are under way, of all models together", async () => {
    const { clock } = fakeTime();
    const window = new CallWindow({ ...limit, clock, setting: "summaryMaxCallsPerWindow" });
    const [one, other] = [ANSWER, ANSWER].map((answer) =>
      withSpendGuard(scriptedComplete(answer).complete, { window }),
    );
    if (!one || !other) throw new Error("two models are needed");
    const calls = [one(REQUEST), other(REQUEST), one(REQUEST), other(REQUEST)];
    expect(await Promise.all(calls.map(outcomeOf))).toEqual([A, A, A, L]);
  });

  it("says when the next call is possible", async () => {
    const { clock } = fakeTime();
    const window = new CallWindow({
      maxCalls: 1,
      windowMs: 60_000,
      clock,
      setting: "summaryMaxCallsPerWindow",
    });
    const complete = withSpendGuard(scriptedComplete(ANSWER).complete, { window });
    await complete(REQUEST);
    await expect(complete(REQUEST)).rejects.toMatchObject({
      message: "the limit of 1 model calls is reached; the next call is allowed at 2026-01-01T00:01:00.000Z",
      advice: expect.stringContaining("summaryMaxCallsPerWindow"),
      retryable: true,
    });
  });
});
