/**
 * Refuses a value of a fact that cannot be in force, and ends what it replaces in time. Which value is in force is said
 * in `store/rules/fact-order.ts`. Pure; what is refused is refused before anything is written.
 */
import { PalimpsestError } from "../../errors.ts";
import type { NewMemory, ReviseWrite, StoredMemory } from "../../store/memory-store.ts";
import { hasBegun, takesPlaceOf, whyInForce } from "../../store/rules/fact-order.ts";

export function requireLatest(memory: NewMemory, replaced: readonly StoredMemory[]): void {
  for (const holder of replaced) {
    requireBegun(memory, holder);
    if (!takesPlaceOf(memory, holder, memory.createdAt))
      throw new PalimpsestError(
        "conflict",
        `${holder.id} is the current value of ${memory.factKey}${whyInForce(holder, memory, memory.createdAt)}`,
        { advice: "Omit `validFrom` to replace it now." },
      );
  }
}

/** What begins later would leave nothing that holds until then. */
export function requireBegun(memory: NewMemory, holder: Pick<NewMemory, "id">): void {
  if (hasBegun(memory, memory.createdAt)) return;
  throw new PalimpsestError(
    "conflict",
    `${holder.id} is the current value of ${memory.factKey}; a value that is valid from ${memory.validFrom} cannot replace it yet`,
    { advice: "Store it once it is valid, or now under another key." },
  );
}

/** What was replaced held only until the new value did, also where that was before anybody said so. */
export function endReplaced(
  replaced: readonly StoredMemory[],
  { validFrom, createdAt }: NewMemory,
): readonly ReviseWrite[] {
  if (validFrom >= createdAt) return [];
  return replaced
    .filter(({ validUntil }) => validUntil === null || validFrom < validUntil)
    .map(({ id, updatedAt }) => ({
      kind: "revise",
      id,
      changes: { validUntil: validFrom },
      unchangedSince: updatedAt,
      event: { at: createdAt, action: "revised", detail: JSON.stringify({ changed: ["validUntil"] }) },
    }));
}

export function requireEndAfterStart(validFrom: string, validUntil: string | null): void {
  if (validUntil === null || validUntil >= validFrom) return;
  throw new PalimpsestError(
    "invalid-input",
    `validUntil (${validUntil}) is before validFrom (${validFrom})`,
    { advice: "Set an earlier validFrom or a later validUntil." },
  );
}
