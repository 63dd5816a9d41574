/**
 * A log that was cut holds a beginning of what was done: some waves whole, and of the next one each operation
 * wholly or not at all. Finds the beginning that a store shows, or says how the nearest one differs from it.
 */
import { messageOf } from "../../src/errors.ts";
import { Ledger } from "./ledger.ts";
import type { LoggedStep, LogRecording } from "./record-log.ts";
import { resolveInFlight } from "./resolve-in-flight.ts";
import { compareView, type StoreView } from "./store-view.ts";

export interface Explanation {
  readonly ledger: Ledger;
  readonly problems: readonly string[];
}

/** The first `count` steps were acknowledged, so the beginning must contain them. */
export function explainByLog({ steps }: LogRecording, count: number, view: StoreView): Explanation {
  const firstWave = steps[count - 1]?.wave ?? 0;
  const lastWave = steps.at(-1)?.wave ?? 0;
  let nearest: Explanation | undefined;
  for (let wave = firstWave; wave <= lastWave; wave++) {
    const done = steps.filter((step, index) => index < count || step.wave < wave);
    const open = steps.filter((step, index) => index >= count && step.wave === wave);
    const explanation = explain(done, open, view);
    if (explanation.problems.length === 0) return explanation;
    if (nearest === undefined || explanation.problems.length < nearest.problems.length) nearest = explanation;
  }
  return nearest ?? explain([], [], view);
}

function explain(done: readonly LoggedStep[], open: readonly LoggedStep[], view: StoreView): Explanation {
  const ledger = new Ledger();
  try {
    for (const { operation, answer } of done) ledger.apply(operation, answer);
    for (const { operation } of open) {
      const answer = resolveInFlight(operation, ledger, view);
      if (answer !== undefined) ledger.apply(operation, answer);
    }
    return { ledger, problems: compareView(view, ledger) };
  } catch (error) {
    return { ledger, problems: [messageOf(error)] };
  }
}
