/**
 * Which of several values of one fact is active. A fact is a fact key in a memory scope, and every memory under it is a
 * value. Code that stores, captures, imports, loads or restores a value, or determines the value at a time, uses this file.
 *
 * `CRITERIA` is the rule: the first criterion by which two values differ decides, and gives the reason. If only the ids
 * differ, the value that is stored now becomes active.
 *
 * Links between versions come first: replaced, archived and erased values are never considered.
 */
import type { Memory } from "../../memory-types.ts";

/** The fields that the order depends on. */
export type FactValue = Pick<Memory, "id" | "validFrom" | "createdAt">;

/** Names the fact that a memory is a value of; null if it has no fact key. */
export function factOf({ scope, factKey }: { scope: string | null; factKey: string | null }): string | null {
  return factKey === null ? null : JSON.stringify([scope, factKey]);
}

interface Criterion {
  /** Above 0 if the first comes after the second, and is active. It must be a total order, without cycles. */
  compare(one: FactValue, other: FactValue, now: string | null): number;
  /** The reason, which follows "mem_1 is the current value of port". */
  why(winner: FactValue, loser: FactValue): string;
}

const CRITERIA: readonly Criterion[] = [
  // A value that has begun comes before one that begins in the future.
  {
    compare: (one, other, now) => Number(hasBegun(one, now)) - Number(hasBegun(other, now)),
    why: (_, { validFrom }) => ` now, and the other one only from ${validFrom}`,
  },
  {
    compare: (one, other) => compare(one.validFrom, other.validFrom),
    why: (winner, loser) => ` since ${winner.validFrom}, which is later than ${loser.validFrom}`,
  },
  {
    compare: (one, other) => compare(one.createdAt, other.createdAt),
    why: (winner, loser) => ` and was stored at ${winner.createdAt}, which is later than ${loser.createdAt}`,
  },
  // So that two stores which exchange their memories agree.
  {
    compare: (one, other) => compare(one.id, other.id),
    why: () => " and has the higher id; both were stored at the same time",
  },
];

/** Sorts values so that the last one is active. `now` is null without a clock: then all count as begun. */
export function compareValues(one: FactValue, other: FactValue, now: string | null): number {
  for (const { compare } of CRITERIA) {
    const order = compare(one, other, now);
    if (order !== 0) return order;
  }
  return 0;
}

/** Why one value is active and not another; follows "mem_1 is the current value of port". */
export function whyInForce(winner: FactValue, loser: FactValue, now: string | null): string {
  const decisive = CRITERIA.find(({ compare }) => compare(winner, loser, now) > 0);
  return decisive?.why(winner, loser) ?? "";
}

/** Whether an incoming value replaces the active one. */
export function takesPlaceOf(coming: FactValue, holder: FactValue, now: string): boolean {
  // A value stored now comes after all earlier ones, even within the same millisecond.
  const isToldNow = coming.createdAt === now;
  return compareValues(coming, isToldNow ? { ...holder, id: "" } : holder, now) > 0;
}

export function hasBegun({ validFrom }: FactValue, now: string | null): boolean {
  return now === null || validFrom <= now;
}

/** All times have one format, which sorts correctly as text. */
function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
