/** What a sentence is about, where nobody said: as the rules of capture read it. Anything else is something that happened. */
import type { MemoryCategory } from "../../memory-types.ts";
import { captureByRules } from "./rules.ts";

export function guessCategory(text: string): MemoryCategory {
  return captureByRules(text).candidates[0]?.category ?? "events";
}
