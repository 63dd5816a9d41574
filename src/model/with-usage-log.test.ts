import { describe, expect, it } from "vitest";
import { ANSWER, fakeTime, noSuchModel, REQUEST, refusedKey } from "../../test/scripted-complete.ts";
import { PalimpsestError } from "../errors.ts";
import type { CompletionResult } from "./complete.ts";
import { type ModelCall, withUsageLog } from "./with-usage-log.ts";

const none = { inputTokens: null, outputTokens: null, cost: null };
const CASES: readonly [string, CompletionResult | Error, object][] = [
  ["an answer", ANSWER, { ...ANSWER.usage, outcome: "stop", failure: null }],
  ["a cut answer", { ...ANSWER, finish: "length" }, { ...ANSWER.usage, outcome: "length", failure: null }],
  [
    "a cost",
    { ...ANSWER, usage: { ...none, cost: 0.01 } },
    { ...none, cost: 0.01, outcome: "stop", failure: null },
  ],
  ["a refusal", refusedKey(), failed("model-authentication", "refused the key")],
  ["no model", noSuchModel(), failed("model-unavailable", "no such model", 404)],
  ["a limit", new PalimpsestError("model-limit", "x"), failed("model-limit", "x")],
  ["a bug", new Error("oops"), failed("internal", "oops")],
];

function failed(outcome: string, message: string, status: number | null = null): object {
  return { ...none, outcome, failure: { status, message } };
}

describe("the usage log", () => {
  it.each(CASES)("records %s", async (_, end, expected) => {
    const time = fakeTime();
    const seen: ModelCall[] = [];
    const complete = withUsageLog(
      async () => {
        time.pass(1234);
        if (end instanceof Error) throw end;
        return end;
      },
      { model: "ollama/test", clock: time.clock, onCall: (call) => seen.push(call) },
    );
    const ended: unknown = await complete({ ...REQUEST, purpose: "expansion" }).catch(
      (error: unknown) => error,
    );
    expect(ended).toBe(end);
    expect(seen).toEqual([{ ...expected, model: "ollama/test", purpose: "expansion", milliseconds: 1234 }]);
  });
});
