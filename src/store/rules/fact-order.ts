/**
 * Which of several values of one fact is in force. A fact is a fact key in a memory scope, and every memory under it is a
 * value. Whoever stores, captures, imports, loads or brings back a value, or says what held at a time, asks here.
 *
 * `CRITERIA` is the rule: the first criterion that tells two values apart decides, and says why. Of values that all of them leave
 * equal but for the id, the one that is told now is in force.
 *
 * Links between versions come first: what was replaced, set aside or erased does not come into question at all.
 */
import type { Memory } from "../../memory-types.ts";

/** What the order depends on. */
export type FactValue = Pick<Memory, "id" | "validFrom" | "createdAt">;

/** Names the fact that a memory is a value of; null where it is none. */
export function factOf({ scope, factKey }: { scope: string | null; factKey: string | null }): string | null {
  return factKey === null ? null : JSON.stringify([scope, factKey]);
}

interface Criterion {
  /** Above 0 where the first comes after the second, and is in force. It must be an order: no circle of three. */
  compare(one: FactValue, other: FactValue, now: string | null): number;
  /** The reason, which follows "mem_1 is the current value of port". */
  why(winner: FactValue, loser: FactValue): string;
}

const CRITERIA: readonly Criterion[] = [
  // A value that has begun comes before one that will begin only later.
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

/** Sorts values so that the last one is in force. `now` is null where no clock is at hand: then all have begun. */
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

/** Whether a value that comes in now takes the place of the one in force. */
export function takesPlaceOf(coming: FactValue, holder: FactValue, now: string): boolean {
  // What is told now comes after all that was told before, also within the same millisecond.
  const isToldNow = coming.createdAt === now;
  return compareValues(coming, isToldNow ? { ...holder, id: "" } : holder, now) > 0;
}

export function hasBegun({ validFrom }: FactValue, now: string | null): boolean {
  return now === null || validFrom <= now;
}

/** Times are in one form, in which they sort as texts. */
function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
