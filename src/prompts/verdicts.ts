/** The words in which a judge answers about a new memory and those it is like. */

export const VERDICTS = [
  "create",
  "merge",
  "skip",
  "support",
  "contextualize",
  "contradict",
  "supersede",
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Situations in which something holds. */
export const CONTEXT_LABELS = [
  "general",
  "morning",
  "evening",
  "night",
  "weekday",
  "weekend",
  "work",
  "leisure",
  "summer",
  "winter",
  "travel",
] as const;
