/**
 * Values of a fact follow one another in time: one that takes the place of another holds now, and not since before it.
 * Pure; what is refused is refused before anything is written.
 */
import { PalimpsestError } from "../../errors.ts";
import type { NewMemory, ReviseWrite, StoredMemory } from "../../store/memory-store.ts";

/** Without a time of its own, a value holds from the moment on in which it is stored, and replaces whatever is there. */
export function requireLatest(memory: NewMemory, replaced: readonly StoredMemory[]): void {
  const [holder] = replaced;
  if (holder === undefined || memory.validFrom === memory.createdAt) return;
  if (isBefore(memory.createdAt, memory.validFrom))
    throw new PalimpsestError(
      "conflict",
      `${holder.id} says what now holds of ${memory.factKey}; what holds from ${memory.validFrom} on cannot replace it yet`,
      { advice: "Store it when it holds, or now under another key." },
    );
  const later = replaced.find(({ validFrom }) => isBefore(memory.validFrom, validFrom));
  if (later !== undefined)
    throw new PalimpsestError(
      "conflict",
      `${later.id} holds of ${memory.factKey} since ${later.validFrom}, which is later than ${memory.validFrom}`,
      { advice: "Leave `validFrom` out to replace it now." },
    );
}

/** What was replaced held only until the new value did, also where that was before anybody said so. */
export function endReplaced(
  replaced: readonly StoredMemory[],
  { validFrom, createdAt }: NewMemory,
): readonly ReviseWrite[] {
  if (!isBefore(validFrom, createdAt)) return [];
  return replaced
    .filter(({ validUntil }) => validUntil === null || isBefore(validFrom, validUntil))
    .map(({ id, updatedAt }) => ({
      kind: "revise",
      id,
      changes: { validUntil: validFrom },
      unchangedSince: updatedAt,
      event: { at: createdAt, action: "revised", detail: JSON.stringify({ changed: ["validUntil"] }) },
    }));
}

export function requireEndAfterStart(validFrom: string, validUntil: string | null): void {
  if (validUntil === null || !isBefore(validUntil, validFrom)) return;
  throw new PalimpsestError(
    "invalid-input",
    `validUntil is ${validUntil}, which is before it holds: ${validFrom}`,
    { advice: "Say since when it held with `validFrom`, or give a later end." },
  );
}

function isBefore(one: string, other: string): boolean {
  return Date.parse(one) < Date.parse(other);
}
