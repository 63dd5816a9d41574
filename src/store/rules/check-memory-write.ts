/** Refuses values that no store can keep, and changes that the holder may not make, before anything is written. */
import { PalimpsestError } from "../../errors.ts";
import type { MemoryWrite, NewMemory, PassageVectors } from "../memory-store.ts";
import { type MemoryScopes, requireAllowed, requireAnyScope } from "./memory-scopes.ts";

export function checkMemoryWrite(access: MemoryScopes, write: MemoryWrite): void {
  if (write.kind === "captured") requireAnyScope(access);
  const scope = scopeWrittenTo(write);
  if (scope !== undefined) requireAllowed(access, scope);
  if (write.kind === "remember") {
    checkMemory(write.memory);
    if (write.vectors !== undefined) checkVectors(write.vectors);
  }
  if (write.kind === "vectors") checkVectors(write.vectors);
  if (write.kind === "revise") checkShares(write.changes);
}

function scopeWrittenTo(write: MemoryWrite): string | undefined {
  if (write.kind === "remember") return write.memory.scope;
  if (write.kind === "decide") return write.decision.scope;
  return write.kind === "memory-index" ? write.segment?.scope : undefined;
}

function checkMemory(memory: NewMemory): void {
  if (memory.abstract === "") throw invalid("a memory needs a first line");
  checkShares(memory);
}

function checkShares({
  importance,
  confidence,
}: Partial<Pick<NewMemory, "importance" | "confidence">>): void {
  for (const [name, value] of Object.entries({ importance, confidence }))
    if (value !== undefined && !isShare(value)) throw invalid(`${name} is ${value}, but must be from 0 to 1`);
}

/** A NaN arrives from another thread as null. */
function isShare(value: number | null): boolean {
  return value !== null && value >= 0 && value <= 1;
}

function checkVectors({ model, vectors }: PassageVectors): void {
  const lengths = new Set(vectors.map(({ length }) => length));
  if (lengths.size !== 1 || lengths.has(0))
    throw invalid(`${model} must have at least one embedding, and all must have the same length`);
  if (vectors.some((vector) => !vector.every(Number.isFinite)))
    throw invalid(`an embedding by ${model} contains a value that is not a finite number`);
}

function invalid(message: string): PalimpsestError {
  return new PalimpsestError("invalid-input", message, { advice: "Nothing was written." });
}
