/** The category of a memory that was stored without one. */
import type { MemoryCategory } from "../../memory-types.ts";
import { categoryOfSentence, statesFact } from "./category-of-sentence.ts";
import { captureByRules } from "./rules.ts";

/** First the rules of capture, which read the first person; then words that state a fact about any subject. */
export function guessCategory(text: string): MemoryCategory {
  return (
    captureByRules(text).candidates[0]?.category ??
    categoryOfSentence(text) ??
    (statesFact(text) ? "entities" : "events")
  );
}
