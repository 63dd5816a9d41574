import type { Config } from "../../config/schema.ts";
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

/** Share of the budget that the newest messages may take, unless the configuration says how much. */
const FRESH_TAIL_SHARE = 0.4;

/** The settings of planning for a budget. */
export function planSettings(settings: CompactionSettings, budget: number): PlanSettings {
  const freshTailMaxTokens = settings.freshTailMaxTokens ?? Math.floor(budget * FRESH_TAIL_SHARE);
  return { ...settings, freshTailMaxTokens };
}
