import type { Config } from "../../../config/schema.ts";
import { freshTailTokens } from "./fresh-tail.ts";
import type { PlanSettings } from "./plan-compaction.ts";

export type CompactionSettings = Pick<
  Config,
  | "contextBudget"
  | "maxAssemblyTokenBudget"
  | "contextThreshold"
  | "hardThreshold"
  | "compactTarget"
  | "maxActiveMessages"
  | "incremental"
  | "incrementalMaxDepth"
  | "sweepDeadlineMs"
  | "freshTailCount"
  | "freshTailMaxTokens"
  | "leafChunkTokens"
  | "leafTargetTokens"
  | "condensedTargetTokens"
  | "leafMinFanout"
  | "condensedMinFanout"
  | "condensedMinFanoutHard"
  | "summaryMaxOverageFactor"
  | "customInstructions"
  | "timezone"
  | "stubLargeToolPayloads"
>;

/** The planning settings for a budget. */
export function planSettings(settings: CompactionSettings, budget: number): PlanSettings {
  return { ...settings, freshTailMaxTokens: freshTailTokens(settings, budget) };
}
