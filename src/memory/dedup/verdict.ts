/**
 * Turns a judgement about a candidate and its similar memories into a plan of effects, carried out
 * elsewhere. Rules of the category override the judgement, and an unclear judgement keeps the candidate: a fact may
 * then be stored twice, but none is lost.
 *
 *  - a fact with a key is never merged with one that has another key or none: a key has one current
 *    memory, so a text with several facts under one key would be replaced by the next value of one of them.
 *  - profile: merged with all profile memories of its scope that have no key, regardless of the judge.
 *  - preferences, entities: replaced by newer values.
 *  - patterns: merged, never replaced.
 *  - events, cases: append-only. Repeating one supports it and changes nothing.
 */
import type { MemoryCategory } from "../../memory-types.ts";
import { VERDICTS, type Verdict } from "../../prompts/judge-duplicates.ts";
import type { Successor } from "../../store/memory-store.ts";
import { contextLabel, GENERAL } from "./context-label.ts";

export const ALWAYS_MERGED: ReadonlySet<MemoryCategory> = new Set(["profile"]);
const MERGEABLE: ReadonlySet<MemoryCategory> = new Set(["preferences", "entities", "patterns"]);
const VERSIONED: ReadonlySet<MemoryCategory> = new Set(["preferences", "entities"]);
const APPEND_ONLY: ReadonlySet<MemoryCategory> = new Set(["events", "cases"]);

/** How many of the nearest memories a judge is shown, and their minimum cosine. */
export const JUDGED = { most: 3, least: 0.571 } as const;

/** A memory that is similar to the candidate. */
export interface Match {
  readonly id: string;
  readonly scope: string;
  readonly category: MemoryCategory;
  readonly factKey: string | null;
  readonly isActive: boolean;
}

export interface Judgement {
  readonly verdict: string;
  /** From 1, in the order in which the judge was shown the matches; null when it named none. */
  readonly matchIndex: number | null;
  readonly label: string | null;
  readonly reason: string;
}

interface VerdictInput {
  readonly candidate: Pick<Match, "scope" | "category" | "factKey">;
  /** As shown to the judge. For profile: every profile memory of the scope. */
  readonly matches: readonly Match[];
  /** Null when no judge was called. */
  readonly judgement: Judgement | null;
}

export type Effect =
  /** `supersededBy`: the candidate is older than this memory, which stays current; it is stored as superseded. */
  | { readonly kind: "create"; readonly supersededBy?: Successor }
  /** The candidate replaces these. */
  | { readonly kind: "supersede"; readonly targets: readonly string[] }
  /** One text written from the candidate and these replaces them; it is supported under the label. */
  | { readonly kind: "merge"; readonly targets: readonly string[]; readonly label: string }
  /** A repetition: supports the target, nothing new is stored. */
  | { readonly kind: "support"; readonly target: string; readonly label: string }
  /** The candidate is kept and related to the target, as valid in the situation of the label. */
  | { readonly kind: "contextualize"; readonly target: string; readonly label: string }
  /** The candidate is kept and related to the target, which it contradicts. */
  | { readonly kind: "contradict"; readonly target: string; readonly label: string }
  /** Dropped; `target` is the reason if the judge named one. */
  | { readonly kind: "skip"; readonly target: string | null };

export interface VerdictPlan {
  readonly effects: readonly Effect[];
  /** The judge's verdict; null when no judge was called. */
  readonly judged: string | null;
  /** The resulting verdict. */
  readonly applied: Verdict;
  readonly reason: string;
}

export function planVerdict(input: VerdictInput): VerdictPlan {
  const { candidate, judgement } = input;
  const matches = input.matches.filter((match) => match.isActive && match.scope === candidate.scope);
  const done = (effect: Effect, reason: string): VerdictPlan => ({
    effects: [effect],
    judged: judgement?.verdict ?? null,
    applied: effect.kind,
    reason,
  });
  const create = (reason: string) => done({ kind: "create" }, reason);

  const label = contextLabel(judgement?.label);
  if (ALWAYS_MERGED.has(candidate.category)) {
    const targets = matches.filter((match) => mayMerge(candidate, match)).map(({ id }) => id);
    if (targets.length === 0)
      return create(`There is no other ${candidate.category} in its scope to merge with.`);
    return done(
      { kind: "merge", targets, label },
      `One ${candidate.category} per scope: merged with all memories without their own key.`,
    );
  }
  if (matches.length === 0) return create("No active memory in its scope is similar.");
  if (judgement === null) return create("No judgement was made.");
  if (!isVerdict(judgement.verdict)) return create(`"${judgement.verdict}" is not a verdict.`);
  const named = namedMatch(input, judgement);
  return decide(
    { ...input, label, verdict: judgement.verdict, named, first: matches[0] ?? null },
    create,
    done,
  );
}

/** Used when no merged text could be written: the candidate is kept beside its targets. */
export function withoutMerge(plan: VerdictPlan): VerdictPlan {
  if (!plan.effects.some(({ kind }) => kind === "merge")) return plan;
  const reason = `${plan.reason} It could not be merged and is stored unchanged.`;
  return { ...plan, effects: [{ kind: "create" }], applied: "create", reason };
}

interface Case extends VerdictInput {
  readonly label: string;
  readonly verdict: Verdict;
  /** The match that the judge named, if it may be used. */
  readonly named: Match | null;
  readonly first: Match | null;
}

function decide(
  { candidate, label, verdict, named, first, judgement }: Case,
  create: (reason: string) => VerdictPlan,
  done: (effect: Effect, reason: string) => VerdictPlan,
): VerdictPlan {
  const { category } = candidate;
  const why = judgement?.reason ?? "";
  // Without a named match, only verdicts that do not change known memories may use the nearest one.
  const target = named ?? (judgement?.matchIndex === null ? first : null);
  if (verdict === "create") return create(why);
  if (verdict === "skip") return done({ kind: "skip", target: named?.id ?? null }, why);
  if (verdict === "supersede" || verdict === "contradict") {
    if (APPEND_ONLY.has(category)) return create(`${category} can only be added, not changed.`);
    if (named === null) return create(`The verdict ${verdict} names no memory.`);
    const replaces = verdict === "supersede" || label === GENERAL;
    if (replaces && VERSIONED.has(category) && named.category === category)
      return done({ kind: "supersede", targets: [named.id] }, why);
    if (verdict === "supersede") return create(`${category} are not replaced by it.`);
    return done({ kind: "contradict", target: named.id, label }, why);
  }
  if (target === null) return create("The memory that it names does not exist.");
  if (verdict === "support") return done({ kind: "support", target: target.id, label }, why);
  if (APPEND_ONLY.has(category)) return create(`${category} can only be added, not changed.`);
  if (verdict === "contextualize") return done({ kind: "contextualize", target: target.id, label }, why);
  if (!MERGEABLE.has(category) || target.category !== category)
    return create(`${target.category} and ${category} cannot be merged.`);
  if (!mayMerge(candidate, target)) return create("A memory with its own fact key is not merged.");
  return done({ kind: "merge", targets: [target.id], label }, why);
}

/** Both may be merged: they have one category, and one fact key or none. */
function mayMerge(candidate: VerdictInput["candidate"], { category, factKey }: Match): boolean {
  return category === candidate.category && factKey === candidate.factKey;
}

function namedMatch({ candidate, matches }: VerdictInput, { matchIndex }: Judgement): Match | null {
  const match = matchIndex === null ? undefined : matches[matchIndex - 1];
  return match?.isActive === true && match.scope === candidate.scope ? match : null;
}

function isVerdict(text: string): text is Verdict {
  return (VERDICTS as readonly string[]).includes(text);
}
