/** How often tests repeat what they do by chance, and how large things are: little in `npm test`, much in `npm run test:long`. */
import { inject } from "vitest";

declare module "vitest" {
  export interface ProvidedContext {
    isLongRun: boolean;
  }
}

const MINUTE_MS = 60_000;

const isLong = inject("isLongRun");

export function times(counts: { readonly short: number; readonly long: number }): number {
  return isLong ? counts.long : counts.short;
}

/** For a test that runs that often. */
export const REPEATED = { timeout: (isLong ? 240 : 10) * MINUTE_MS };
