/**
 * Finds memories that duplicate another one and can be archived. Only current memories are compared, and
 * only within one scope and category, so nothing crosses to another agent and superseded memories do not change. Nothing
 * is merged or deleted; the plan lists what to archive and the memory that stays. Each one is compared with the memory that
 * stays, not with its neighbours, so that a chain of small differences cannot bridge a large one.
 */
import { MEMORY_TIERS, type Memory, stateOf } from "../../memory-types.ts";
import { cosine, type Vector } from "../cosine.ts";
import { daysSince } from "../days.ts";
import { saysTheSame } from "../dedup/says-the-same.ts";

/** Least cosine of duplicates, if the caller does not say. */
const THRESHOLD = 0.88;
/** Memories younger than this are left alone. */
const MIN_AGE_DAYS = 7;
/** Per scope and category, since each memory is compared with each; the oldest are compared first. */
const MOST_COMPARED = 2_000;

export interface ConsolidationInput {
  readonly memory: Memory;
  /** Null when it has none yet. */
  readonly vector: Vector | null;
}

export interface ConsolidationStep {
  /** To be archived. */
  readonly id: string;
  /** The equivalent memory that stays. */
  readonly canonical: string;
  readonly cosine: number;
  readonly reason: string;
}

interface ConsolidationPlan {
  readonly archive: readonly ConsolidationStep[];
  readonly clusters: readonly {
    readonly scope: string;
    readonly category: string;
    readonly canonical: string;
    readonly members: readonly string[];
  }[];
  /** Memories that were not compared, with the reason. */
  readonly passedOver: readonly { readonly id: string; readonly reason: string }[];
}

export function planConsolidation(
  inputs: readonly ConsolidationInput[],
  now: number,
  threshold = THRESHOLD,
): ConsolidationPlan {
  const passedOver: { id: string; reason: string }[] = [];
  const groups = new Map<string, Comparable[]>();
  for (const { memory, vector } of inputs.toSorted(byAge)) {
    const group = groups.get(JSON.stringify([memory.scope, memory.category])) ?? [];
    const reason = whyNot(memory, vector, now, group.length);
    if (reason !== null || vector === null) passedOver.push({ id: memory.id, reason: reason ?? "" });
    else groups.set(JSON.stringify([memory.scope, memory.category]), [...group, { memory, vector }]);
  }
  const clusters = [...groups.values()].flatMap((group) => clusterGroup(group, threshold));
  return {
    archive: clusters.flatMap(({ steps }) => steps),
    clusters: clusters.map(({ canonical, steps }) => ({
      scope: canonical.scope,
      category: canonical.category,
      canonical: canonical.id,
      members: steps.map(({ id }) => id),
    })),
    passedOver,
  };
}

interface Comparable {
  readonly memory: Memory;
  readonly vector: Vector;
}

function byAge(a: ConsolidationInput, b: ConsolidationInput): number {
  return order(a.memory.createdAt, b.memory.createdAt) || order(a.memory.id, b.memory.id);
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function whyNot(memory: Memory, vector: Vector | null, now: number, taken: number): string | null {
  const state = stateOf(memory);
  if (state !== "active") return state;
  if (vector === null) return "no embedding yet";
  if (daysSince(memory.createdAt, now) < MIN_AGE_DAYS) return `younger than ${MIN_AGE_DAYS} days`;
  return taken >= MOST_COMPARED ? `at most ${MOST_COMPARED} memories of a kind are compared at a time` : null;
}

function clusterGroup(group: readonly Comparable[], threshold: number) {
  const clusters: { canonical: Memory; steps: ConsolidationStep[] }[] = [];
  const placed = new Set<string>();
  for (const best of group.toSorted(byWorth)) {
    if (placed.has(best.memory.id)) continue;
    placed.add(best.memory.id);
    const steps = group
      .filter(({ memory }) => !placed.has(memory.id))
      .flatMap((other) => stepFor(best, other, threshold));
    if (steps.length === 0) continue;
    for (const { id } of steps) placed.add(id);
    clusters.push({ canonical: best.memory, steps });
  }
  return clusters;
}

/** The one that stays comes first: by tier, importance, uses, length, then the newest. */
function byWorth({ memory: a }: Comparable, { memory: b }: Comparable): number {
  return (
    MEMORY_TIERS.indexOf(a.tier) - MEMORY_TIERS.indexOf(b.tier) ||
    b.importance - a.importance ||
    b.accessCount - a.accessCount ||
    lengthOf(b) - lengthOf(a) ||
    order(b.createdAt, a.createdAt) ||
    order(a.id, b.id)
  );
}

function lengthOf({ abstract, overview, content }: Memory): number {
  return abstract.length + overview.length + content.length;
}

function stepFor(best: Comparable, other: Comparable, threshold: number): ConsolidationStep[] {
  const near = cosine(best.vector, other.vector);
  if (near < threshold || !isSaidBy(other.memory, best.memory)) return [];
  const reason = `Duplicate of ${best.memory.id} (cosine ${near.toFixed(3)}) in the same scope and category.`;
  return [{ id: other.memory.id, canonical: best.memory.id, cosine: near, reason }];
}

/** The memory that stays must contain all that the archived one says, or something would be lost. */
function isSaidBy(goes: Memory, stays: Memory): boolean {
  if (goes.factKey !== null && stays.factKey !== null && goes.factKey !== stays.factKey) return false;
  return (["abstract", "overview", "content"] as const).every(
    (level) => goes[level] === "" || saysTheSame(goes[level], stays[level]),
  );
}
