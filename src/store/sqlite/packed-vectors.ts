/** Vectors on their way to the writer: all of a commit in one buffer, which changes threads instead of being copied. */
import { PalimpsestError } from "../../errors.ts";
import type { MemoryWrite, PassageVectors, RememberWrite, VectorWrite } from "../memory-store.ts";

/** So many vectors of this length, from this place of the buffer on. */
export interface PackedVectors {
  readonly model: string;
  readonly dimensions: number;
  readonly count: number;
  readonly start: number;
}

type Packed<Write> = Omit<Write, "vectors"> & { readonly vectors: PackedVectors };
export type PackedRemember = Omit<RememberWrite, "vectors"> & { readonly vectors?: PackedVectors };
export type PackedVectorWrite = Packed<VectorWrite>;
export type PackedMemoryWrite =
  | Exclude<MemoryWrite, RememberWrite | VectorWrite>
  | PackedRemember
  | PackedVectorWrite;

export interface PackedCommit {
  readonly writes: readonly PackedMemoryWrite[];
  readonly floats: Float32Array<ArrayBuffer>;
}

export function packCommit(writes: readonly MemoryWrite[]): PackedCommit {
  const floats = new Float32Array(writes.reduce((sum, write) => sum + lengthOf(vectorsOf(write)), 0));
  let start = 0;
  const pack = (vectors: PassageVectors): PackedVectors => {
    const packed = { model: vectors.model, ...shapeOf(vectors), start };
    for (const vector of vectors.vectors) {
      floats.set(vector, start);
      start += vector.length;
    }
    return packed;
  };
  const packed = writes.map((write): PackedMemoryWrite => {
    if (write.kind === "vectors") return { ...write, vectors: pack(write.vectors) };
    if (write.kind !== "remember") return write;
    const { vectors, ...rest } = write;
    return vectors === undefined ? rest : { ...rest, vectors: pack(vectors) };
  });
  return { writes: packed, floats };
}

function vectorsOf(write: MemoryWrite): PassageVectors | undefined {
  return write.kind === "remember" || write.kind === "vectors" ? write.vectors : undefined;
}

function lengthOf(vectors: PassageVectors | undefined): number {
  return vectors?.vectors.reduce((sum, { length }) => sum + length, 0) ?? 0;
}

function shapeOf({ vectors }: PassageVectors): { count: number; dimensions: number } {
  const dimensions = vectors[0]?.length ?? 0;
  if (dimensions === 0 || vectors.some(({ length }) => length !== dimensions))
    throw new PalimpsestError(
      "invalid-input",
      "vectors of a memory must be at least one, and of one length",
      {
        advice: "Hand in what one model gave for the passages of this memory; nothing was written.",
      },
    );
  return { count: vectors.length, dimensions };
}
