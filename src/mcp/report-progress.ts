/** How far a run has come, told to a client that asked for it; not more often than it can be of use. */
import type { ServerContext } from "@modelcontextprotocol/server";
import { countedIn } from "../text/counted.ts";

const PAUSE_MS = 100;

/** Undefined when nobody asked. */
export function progressReporter({
  _meta,
  notify,
}: ServerContext["mcpReq"]): ((progress: unknown) => void) | undefined {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let found = 0;
  let told = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  return (step) => {
    const { done, unit } = readStep(step) ?? { done: ++found, unit: "found" };
    // The protocol wants numbers that increase.
    if (done <= told || performance.now() - toldAt < PAUSE_MS) return;
    told = done;
    toldAt = performance.now();
    const params = { progressToken, progress: done, message: countedIn(done, unit) };
    // Whoever asked may be gone; then the call itself is cancelled.
    notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}

/** Null for a thing that was found, which tells no number. */
function readStep(step: unknown): { readonly done: number; readonly unit: string } | null {
  if (typeof step !== "object" || step === null || !("done" in step) || typeof step.done !== "number")
    return null;
  return { done: step.done, unit: "unit" in step && typeof step.unit === "string" ? step.unit : "done" };
}
