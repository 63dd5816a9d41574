import type { Config } from "../../../config/schema.ts";
import { PalimpsestError } from "../../../errors.ts";

/** The effective budget: the caller's, else the configured one, never above the ceiling. */
export function tokenBudget(
  asked: number | undefined,
  settings: Pick<Config, "contextBudget" | "maxAssemblyTokenBudget">,
): number {
  if (asked !== undefined && (!Number.isSafeInteger(asked) || asked < 1))
    throw new PalimpsestError("invalid-input", "budget must be a whole number of tokens from 1");
  return Math.min(asked ?? settings.contextBudget, settings.maxAssemblyTokenBudget ?? Infinity);
}
