import { describe, expect, it } from "vitest";
import { ANSWER, REQUEST, refusedKey, scriptedComplete } from "../../test/scripted-complete.ts";
import type { Complete, CompletionRequest } from "./complete.ts";
import type { Wait } from "./wait.ts";
import { withTimeout } from "./with-timeout.ts";

/** A timer that the test triggers. */
function heldTimer() {
  const held = Promise.withResolvers<void>();
  const seen: { milliseconds: number; signal: AbortSignal | undefined }[] = [];
  const wait: Wait = (milliseconds, signal) => {
    seen.push({ milliseconds, signal });
    return held.promise;
  };
  return { wait, seen, fire: held.resolve };
}

/** Never answers, and ignores its signal. */
function deaf() {
  const requests: CompletionRequest[] = [];
  const complete: Complete = (request) => {
    requests.push(request);
    return new Promise(() => {});
  };
  return { complete, requests };
}

const options = { model: "ollama/slow", timeoutMs: 60_000 };

describe("a time limit", () => {
  it("hands an answer on and stops its timer", async () => {
    const { wait, seen } = heldTimer();
    const { complete, calls } = scriptedComplete(ANSWER);
    expect(await withTimeout(complete, { ...options, wait })(REQUEST)).toBe(ANSWER);
    expect(calls).toMatchObject([{ prompt: REQUEST.prompt }]);
    expect(seen).toMatchObject([{ milliseconds: 60_000, signal: { aborted: true } }]);
  });

  it("gives up when time is over, and tells the call to stop", async () => {
    const { wait, fire } = heldTimer();
    const { complete, requests } = deaf();
    const call = withTimeout(complete, { ...options, wait })(REQUEST);
    expect(requests[0]?.signal?.aborted).toBe(false);
    fire();
    await expect(call).rejects.toMatchObject({
      code: "model-unavailable",
      message: "ollama/slow did not answer within 60 s",
      advice: expect.stringContaining("summaryTimeoutMs"),
      cause: { temporary: false },
    });
    expect(requests[0]?.signal?.aborted).toBe(true);
  });

  it("ends at once when the caller cancels", async () => {
    const { complete, requests } = deaf();
    const abort = new AbortController();
    const call = withTimeout(complete, { ...options, wait: heldTimer().wait })({
      ...REQUEST,
      signal: abort.signal,
    });
    abort.abort();
    await expect(call).rejects.toMatchObject({ code: "cancelled" });
    expect(requests[0]?.signal?.aborted).toBe(true);
  });

  it("does not call for a caller who has cancelled", async () => {
    const { complete, calls } = scriptedComplete(ANSWER);
    const call = withTimeout(complete, { ...options, wait: heldTimer().wait });
    await expect(call({ ...REQUEST, signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "cancelled",
    });
    expect(calls).toEqual([]);
  });

  it("hands failures on as they are, and stops its timer", async () => {
    const { wait, seen } = heldTimer();
    const failure = refusedKey();
    const call = withTimeout(scriptedComplete(failure).complete, { ...options, wait })(REQUEST);
    await expect(call).rejects.toBe(failure);
    expect(seen[0]?.signal?.aborted).toBe(true);
  });
});
