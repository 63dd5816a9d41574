/**
 * What a language's file of patterns holds. All patterns are matched at the beginning of a sentence, against one that
 * is neither a question nor supposed nor quoted; so they can be plain. Precision comes before recall: what is missed
 * can still be said outright, but what was stored wrongly is believed.
 */
import type { MemoryCategory } from "../../memory-types.ts";

export interface StatementPattern {
  readonly pattern: RegExp;
  readonly category: MemoryCategory;
  /** What it is, for the reason: `name`, `work`, `home`, `health`, `family`, `preference`, `rule`, `decision`… */
  readonly what: string;
}

export interface LanguagePatterns {
  readonly language: string;
  /** A request to remember: everything up to what is to be remembered. */
  readonly remember: readonly RegExp[];
  /** A wish that something not be kept: silences the whole message. */
  readonly dontRemember: RegExp;
  /** Words in front of a statement that belong to the talk and not to it. */
  readonly lead: RegExp;
  /** Takes back what was said: everything up to what holds instead. */
  readonly correction: RegExp;
  /** Supposed, wished, or in a story. Anywhere in the sentence. */
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

/** The same where a capital letter means something. */
export function statesExactly(what: string, category: MemoryCategory, pattern: string): StatementPattern {
  return { what, category, pattern: new RegExp(`^(?:${pattern})`, "u") };
}
