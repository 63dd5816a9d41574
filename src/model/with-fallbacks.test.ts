import { describe, expect, it } from "vitest";
import {
  ANSWER,
  noSuchModel,
  outcomeOf,
  outOfReach,
  REQUEST,
  refusedKey,
  scriptedComplete,
} from "../../test/scripted-complete.ts";
import { PalimpsestError } from "../errors.ts";
import { isAuthenticationFailure } from "./model-failure.ts";
import { withFallbacks } from "./with-fallbacks.ts";

const limit = new PalimpsestError("model-limit", "enough");
const stopped = new PalimpsestError("cancelled", "stop");
const leftAlone = new PalimpsestError("model-unavailable", "left alone", { cause: refusedKey() });

const CASES: readonly [string, readonly [unknown, unknown, unknown], string, readonly number[]][] = [
  ["asks nobody else after an answer", [ANSWER, ANSWER, ANSWER], "answer", [1, 0, 0]],
  ["asks the next one after a failure", [outOfReach(), ANSWER, ANSWER], "answer", [1, 1, 0]],
  ["asks the next one after a refused key", [refusedKey(), ANSWER, ANSWER], "answer", [1, 1, 0]],
  ["asks the last one too", [noSuchModel(), outOfReach(), ANSWER], "answer", [1, 1, 1]],
  ["fails when all do", [outOfReach(), outOfReach(), outOfReach()], "model-unavailable", [1, 1, 1]],
  [
    "reports a refused key before anything else",
    [outOfReach(), refusedKey(), outOfReach()],
    "model-authentication",
    [1, 1, 1],
  ],
  ["stops when no more calls are allowed", [limit, ANSWER, ANSWER], "model-limit", [1, 0, 0]],
  ["stops when the caller cancels", [outOfReach(), stopped, ANSWER], "cancelled", [1, 1, 0]],
  ["does not hide a bug", [new Error("a bug"), ANSWER, ANSWER], "Error: a bug", [1, 0, 0]],
];

describe("falling back", () => {
  it.each(CASES)("%s", async (_, steps, outcome, calls) => {
    const [first, second, third] = steps.map((step) => scriptedComplete(step));
    if (!first || !second || !third) throw new Error("three models are needed");
    const complete = withFallbacks(first.complete, { fallbacks: [second.complete, third.complete] });
    expect(await outcomeOf(complete(REQUEST))).toBe(outcome);
    expect([first, second, third].map((model) => model.calls.length)).toEqual(calls);
  });

  it("says what each model said", async () => {
    const complete = withFallbacks(scriptedComplete(outOfReach()).complete, {
      fallbacks: [scriptedComplete(refusedKey()).complete],
    });
    await expect(complete(REQUEST)).rejects.toThrow("no model answered: out of reach; refused the key");
  });

  it("hands a single model's failure on as it is", async () => {
    const failure = outOfReach();
    const complete = withFallbacks(scriptedComplete(failure).complete, { fallbacks: [] });
    await expect(complete(REQUEST)).rejects.toBe(failure);
  });

  it.each([
    [[outOfReach(), leftAlone], true],
    [[outOfReach(), outOfReach()], false],
  ] as const)("lets callers see whether a key was refused before (%#)", async ([first, second], expected) => {
    const complete = withFallbacks(scriptedComplete(first).complete, {
      fallbacks: [scriptedComplete(second).complete],
    });
    const error: unknown = await complete(REQUEST).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "model-unavailable" });
    expect(isAuthenticationFailure(error)).toBe(expected);
  });
});
