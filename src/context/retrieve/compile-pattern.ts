/**
 * A regular expression in RE2's syntax, matched in time linear in the text, and the trigrams that every
 * matching text must contain.
 */
import type { RE2JS } from "re2js";
import { PalimpsestError } from "../../errors.ts";
import { trigramsOf } from "../../text/language/trigrams.ts";
import { plainPattern } from "./plain-pattern.ts";

export interface Pattern {
  test(text: string): boolean;
  /** The first match from this position on; an empty match counts. */
  find(text: string, from: number): { readonly start: number; readonly end: number } | null;
  /** Null: no trigrams are required, so every text must be searched. */
  readonly needs: Needs | null;
}

/** What a text must contain: trigrams, or all or any of further needs. */
export type Needs =
  | { readonly type: "trigrams"; readonly trigrams: readonly number[] }
  | { readonly type: "all" | "any"; readonly of: readonly Needs[] };

/** The flags that RE2JS adds before a pattern. */
const OUR_FLAGS = /(?<=`)\(\?[a-zU]+\)/;

export const LONGEST_PATTERN = 10_000;

/** The library contains tables of all of Unicode, so it is loaded with the first pattern. */
const library = () => import("re2js");

export async function compilePattern(
  source: string,
  { ignoreCase }: { readonly ignoreCase: boolean },
): Promise<Pattern> {
  const re2 = await library();
  const inline = /^\(\?i\)/.exec(source);
  const flags = re2.RE2JS.MULTILINE | (ignoreCase || inline !== null ? re2.RE2JS.CASE_INSENSITIVE : 0);
  const bare = inline === null ? source : source.slice(inline[0].length);
  const expression = compile(re2, bare, flags);
  const written = flags === re2.RE2JS.MULTILINE ? expression : compile(re2, bare, re2.RE2JS.MULTILINE);
  const plain = written === expression ? plainPattern(bare) : undefined;
  // A text matched without regard to case differs from an exact match only in case, and trigrams
  // are case-folded: so the needs of the exact pattern apply here as well.
  const needs = needsOf(written.re2Input.prefilter);
  return {
    test: (text) => (plain?.suits(text) ? plain.find(text, 0) !== null : expression.test(text)),
    find: (text, from) => {
      if (plain?.suits(text)) return plain.find(text, from);
      const matcher = expression.matcher(text);
      return matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : null;
    },
    needs,
  };
}

/** `ß` is usually capitalised as `SS`, so each one matches the other. No other letter changes its length with its case. */
const SHARP_S = /ss|[ßẞ]/gi;
const ANY_SHARP_S = "(?:ss|ß|ẞ)";

/** Any text exactly as written, or with case ignored. */
export async function compileExact(
  text: string,
  options: { readonly ignoreCase: boolean },
): Promise<Pattern> {
  const { RE2JS } = await library();
  if (!options.ignoreCase) return compilePattern(RE2JS.quote(text), options);
  const pieces = text.split(SHARP_S).map((piece) => RE2JS.quote(piece));
  return compilePattern(pieces.join(ANY_SHARP_S), options);
}

type Library = Awaited<ReturnType<typeof library>>;

function compile({ RE2JS, RE2JSException }: Library, source: string, flags: number): RE2JS {
  try {
    return RE2JS.compile(source, flags);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new PalimpsestError("invalid-input", `invalid pattern: ${error.message.replace(OUR_FLAGS, "")}`, {
      advice:
        "Patterns use RE2 syntax, without look-ahead or back-references. To search for literal text, use `mode=exact`.",
      cause: error,
    });
  }
}

/** How RE2JS describes the strings that a text must contain. */
const EXACT = 1;
const AND = 2;
const OR = 3;
interface Prefilter {
  readonly type: number;
  readonly str: string;
  readonly subs: readonly Prefilter[];
}

function needsOf(prefilter: Prefilter | null): Needs | null {
  switch (prefilter?.type) {
    case EXACT: {
      const trigrams = trigramsOf(prefilter.str);
      return trigrams.length === 0 ? null : { type: "trigrams", trigrams };
    }
    case AND: {
      const known = prefilter.subs.map(needsOf).filter((needs) => needs !== null);
      return known.length === 0 ? null : { type: "all", of: known };
    }
    case OR: {
      const each = prefilter.subs.map(needsOf);
      return each.includes(null) ? null : { type: "any", of: each.filter((needs) => needs !== null) };
    }
    default:
      return null;
  }
}
