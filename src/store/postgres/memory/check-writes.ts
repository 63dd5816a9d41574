/** What no store can keep is refused before anything is written. */
import { PalimpsestError } from "../../../errors.ts";
import type { MemoryWrite, NewMemory, PassageVectors } from "../../memory-store.ts";

export function checkWrite(write: MemoryWrite): void {
  if (write.kind === "remember") {
    checkMemory(write.memory);
    if (write.vectors !== undefined) checkVectors(write.vectors);
  }
  if (write.kind === "vectors") checkVectors(write.vectors);
  if (write.kind === "revise") checkShares(write.changes);
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
    if (value !== undefined && !(value >= 0 && value <= 1))
      throw invalid(`${name} is ${value}, and not from 0 to 1`);
}

function checkVectors({ model, vectors }: PassageVectors): void {
  const lengths = new Set(vectors.map(({ length }) => length));
  if (lengths.size !== 1 || lengths.has(0))
    throw invalid(`the vectors of ${model} are not at least one, all of the same length`);
  if (vectors.some((vector) => !vector.every(Number.isFinite)))
    throw invalid(`a vector of ${model} holds something that is no number`);
}

function invalid(message: string): PalimpsestError {
  return new PalimpsestError("invalid-input", message, { advice: "Nothing was written." });
}
