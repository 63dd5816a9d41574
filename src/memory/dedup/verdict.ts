/**
 * What follows from a judgement about a candidate and the memories it is like: a plan of effects, carried out
 * elsewhere. Rules of the category come before the judgement, and whatever is unclear keeps the candidate: a fact may
 * then stand twice, but none is lost.
 *
 *  - a fact with a key of its own is never merged with one of another key, or of none: of a key one memory is in
 *    force, so a text that stood for several facts under one key would go with the next value of one of them.
 *  - profile: merged with all of its scope that has no key, whatever the judge says.
 *  - preferences, entities: replaced in time.
 *  - patterns: merged, never replaced.
 *  - events, cases: only added to. Saying one again supports it and changes nothing.
 */
import type { MemoryCategory } from "../../memory-types.ts";
import { VERDICTS, type Verdict } from "../../prompts/judge-duplicates.ts";
import type { Successor } from "../../store/memory-store.ts";
import { contextLabel, GENERAL } from "./context-label.ts";

export const ALWAYS_MERGED: ReadonlySet<MemoryCategory> = new Set(["profile"]);
const MERGEABLE: ReadonlySet<MemoryCategory> = new Set(["preferences", "entities", "patterns"]);
const VERSIONED: ReadonlySet<MemoryCategory> = new Set(["preferences", "entities"]);
const APPEND_ONLY: ReadonlySet<MemoryCategory> = new Set(["events", "cases"]);

/** How many of the nearest memories a judge is shown, and how near they must be. Near is a cosine. */
export const JUDGED = { most: 3, least: 0.571 } as const;

/** A memory that the candidate is like. */
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
  /** Null when nobody was asked. */
  readonly judgement: Judgement | null;
}

export type Effect =
  /** `supersededBy`: it was said before this one, which stays in force; it is kept on record only. */
  | { readonly kind: "create"; readonly supersededBy?: Successor }
  /** The candidate takes the place of these. */
  | { readonly kind: "supersede"; readonly targets: readonly string[] }
  /** One text is written from the candidate and these, and takes their place; it is supported under the label. */
  | { readonly kind: "merge"; readonly targets: readonly string[]; readonly label: string }
  /** Said again: counts for the target, nothing new is kept. */
  | { readonly kind: "support"; readonly target: string; readonly label: string }
  /** The candidate is kept, related to the target, as what holds in the situation of the label. */
  | { readonly kind: "contextualize"; readonly target: string; readonly label: string }
  /** The candidate is kept, related to the target, against which it counts. */
  | { readonly kind: "contradict"; readonly target: string; readonly label: string }
  /** Dropped, because of the target where the judge named one. */
  | { readonly kind: "skip"; readonly target: string | null };

export interface VerdictPlan {
  readonly effects: readonly Effect[];
  /** As judged; null when nobody was asked. */
  readonly judged: string | null;
  /** What it came to. */
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

/** Nobody could write the text of both: the candidate stands beside what it was to be merged with. */
export function withoutMerge(plan: VerdictPlan): VerdictPlan {
  if (!plan.effects.some(({ kind }) => kind === "merge")) return plan;
  const reason = `${plan.reason} It could not be merged and is stored unchanged.`;
  return { ...plan, effects: [{ kind: "create" }], applied: "create", reason };
}

interface Case extends VerdictInput {
  readonly label: string;
  readonly verdict: Verdict;
  /** The match that the judge named, if it is one that counts. */
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
  // Only what changes nothing that is there may go to the nearest when the judge named none.
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

/** One text may stand for both: they are of one category, and of one fact or of none in particular. */
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
