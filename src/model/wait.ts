/** Waiting, replaceable in tests. */
import { PalimpsestError } from "../errors.ts";

/** Resolves after that many milliseconds; rejects with the signal's reason as soon as it is aborted. */
export type Wait = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** Like `node:timers/promises`, without creating an error with a stack for each aborted wait. */
export const wait: Wait = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });

export function cancelled(): PalimpsestError {
  return new PalimpsestError("cancelled", "the call to the model was cancelled");
}

export function refuseCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw cancelled();
}
