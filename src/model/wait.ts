/** Waiting, as something that tests can replace. */
import { setTimeout } from "node:timers/promises";
import { PalimpsestError } from "../errors.ts";

/** Resolves after that many milliseconds; rejects as soon as the signal is aborted. */
export type Wait = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

export const wait: Wait = (milliseconds, signal) =>
  setTimeout(milliseconds, undefined, signal === undefined ? {} : { signal });

export function cancelled(): PalimpsestError {
  return new PalimpsestError("cancelled", "the call to the model was cancelled");
}

export function refuseCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw cancelled();
}
