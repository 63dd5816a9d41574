/**
 * Which of several values of one fact is in force. A fact is a fact key in a memory scope, and every memory under it is a
 * value. Whoever stores, captures, imports, loads or brings back a value, or says what held at a time, asks here.
 *
 *  1. A value that has begun comes before one that will begin only later.
 *  2. Then the value that begins last (`validFrom`) is in force.
 *  3. Of values that begin together, the one that was created last is.
 *  4. Of values that were created together as well, the one that is told now; where none is, the one with the higher
 *     id, so that two stores which exchange their memories agree.
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

/** Sorts values so that the last one is in force. `now` is null where no clock is at hand: then all have begun. */
export function compareValues(one: FactValue, other: FactValue, now: string | null): number {
  return (
    Number(hasBegun(one, now)) - Number(hasBegun(other, now)) ||
    compare(one.validFrom, other.validFrom) ||
    compare(one.createdAt, other.createdAt) ||
    compare(one.id, other.id)
  );
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
