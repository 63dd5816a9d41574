/**
 * Rejects a value of a fact that cannot be current, and ends the validity of the replaced one. The current value is decided
 * in `store/rules/fact-order.ts`. Pure; a value is rejected before anything is written.
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

/** A value that begins in the future would leave no valid value until then. */
export function requireBegun(memory: NewMemory, holder: Pick<NewMemory, "id">): void {
  if (hasBegun(memory, memory.createdAt)) return;
  throw new PalimpsestError(
    "conflict",
    `${holder.id} is the current value of ${memory.factKey}; a value that is valid from ${memory.validFrom} cannot replace it yet`,
    { advice: "Store it once it is valid, or now under another key." },
  );
}

/** A replaced value was valid until the new one began, even if that was before the new one was stored. */
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
    `\`validUntil\` (${validUntil}) is before \`validFrom\` (${validFrom})`,
    { advice: "Set an earlier `validFrom` or a later `validUntil`." },
  );
}
