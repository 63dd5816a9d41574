/**
 * What it does to a memory's importance that a model was shown it, and used it or not. A step from the importance that
 * the memory has, never towards a fixed value: a fact of 0.9 that was of use becomes 0.95 and not what a new one has.
 */
import { clamp01 } from "../clamp.ts";

export interface FeedbackSettings {
  /** Default 0.05. */
  readonly usedStep: number;
  /** Default 0.03. */
  readonly unusedStep: number;
  /** Times in a row that it was shown in vain before it loses anything. Default 3. */
  readonly patience: number;
  /** Nothing falls below this by not being used. Default 0.1. */
  readonly least: number;
}

export const FEEDBACK: FeedbackSettings = { usedStep: 0.05, unusedStep: 0.03, patience: 3, least: 0.1 };

export interface Feedback {
  readonly importance: number;
  readonly unusedInARow: number;
  readonly reason: string;
}

export function afterShown(
  importance: number,
  wasUsed: boolean,
  unusedInARow: number,
  settings = FEEDBACK,
): Feedback {
  if (wasUsed)
    return { importance: clamp01(importance + settings.usedStep), unusedInARow: 0, reason: "It was used." };
  const unused = unusedInARow + 1;
  if (unused < settings.patience)
    return { importance, unusedInARow: unused, reason: `Not used ${unused} times in a row; nothing yet.` };
  // What lay below the least already is not lifted to it.
  const lowered = Math.max(Math.min(importance, settings.least), importance - settings.unusedStep);
  return { importance: lowered, unusedInARow: unused, reason: `Not used ${unused} times in a row.` };
}
