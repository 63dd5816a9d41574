/**
 * The format of a language's file of patterns. All patterns are matched at the beginning of a sentence that is
 * not a question, hypothetical or quoted, so they can be simple. Precision matters more than recall: a missed fact
 * can still be stored explicitly, but a wrong one is believed.
 */
import type { MemoryCategory } from "../../memory-types.ts";

export interface StatementPattern {
  readonly pattern: RegExp;
  readonly category: MemoryCategory;
  /** The kind of statement, for the reason: `name`, `work`, `home`, `health`, `family`, `preference`, `rule`, `decision`… */
  readonly what: string;
}

export interface LanguagePatterns {
  readonly language: string;
  /** A request to remember: everything before the text to remember. */
  readonly remember: readonly RegExp[];
  /** A request not to remember: nothing of the message is captured. */
  readonly dontRemember: RegExp;
  /** Leading filler words that are not part of the statement. */
  readonly lead: RegExp;
  /** A correction: everything before the new value. */
  readonly correction: RegExp;
  /** Hypothetical, wished or fictional. Matched anywhere in the sentence. */
  readonly supposed: RegExp;
  readonly statements: readonly StatementPattern[];
}

/** A pattern at the beginning, in any case, with letters of every script. */
export function starts(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})`, "iu");
}

/** Whole words anywhere. */
export function hasWords(words: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, "iu");
}

/** For scripts without spaces. */
export function hasRun(runs: string): RegExp {
  return new RegExp(runs, "u");
}

export function states(what: string, category: MemoryCategory, pattern: string): StatementPattern {
  return { what, category, pattern: starts(pattern) };
}

/** The same, case-sensitive. */
export function statesExactly(what: string, category: MemoryCategory, pattern: string): StatementPattern {
  return { what, category, pattern: new RegExp(`^(?:${pattern})`, "u") };
}
