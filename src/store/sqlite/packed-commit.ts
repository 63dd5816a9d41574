/**
 * A commit on its way to the writer and its answer on the way back. All vectors lie in one buffer, which changes threads
 * instead of being copied, and everything else is one text: copying object by object would cost more than storing. Of a
 * new memory only its number comes back, since the caller has the rest.
 */
import { PalimpsestError } from "../../errors.ts";
import type {
  MemoryIndexWrite,
  MemorySegment,
  MemoryWrite,
  MemoryWriteResult,
  PassageVectors,
  RememberWrite,
  VectorWrite,
} from "../memory-store.ts";
import { newlyStored } from "./remember.ts";

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
type OtherWrite = Exclude<MemoryWrite, RememberWrite | VectorWrite>;
export type PackedMemoryWrite = OtherWrite | PackedRemember | PackedVectorWrite;

export interface PackedCommit {
  /** JSON of the writes, without the contents of segments. */
  readonly writes: string;
  readonly floats: Float32Array<ArrayBuffer>;
  /** Of the segments, in the order of their writes. */
  readonly contents: readonly Uint8Array[];
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
  const packed = writes.map((write) => {
    if (write.kind === "vectors") return { ...write, vectors: pack(write.vectors) };
    if (write.kind === "memory-index") return withoutContent(write);
    if (write.kind !== "remember") return write;
    const { vectors, ...rest } = write;
    return vectors === undefined ? rest : { ...rest, vectors: pack(vectors) };
  });
  return { writes: JSON.stringify(packed), floats, contents: contentsOf(writes) };
}

export function unpackWrites({ writes, contents }: PackedCommit): readonly PackedMemoryWrite[] {
  let next = 0;
  return (JSON.parse(writes) as readonly PackedMemoryWrite[]).map((write) => {
    if (write.kind !== "memory-index" || write.segment === null) return write;
    return { ...write, segment: { ...write.segment, content: contents[next++] as Uint8Array } };
  });
}

function withoutContent(write: MemoryIndexWrite): MemoryIndexWrite | object {
  if (write.segment === null) return write;
  const { content: _, ...run } = write.segment;
  return { ...write, segment: run satisfies Omit<MemorySegment, "id" | "content"> };
}

function contentsOf(writes: readonly MemoryWrite[]): readonly Uint8Array[] {
  return writes.flatMap((write) =>
    write.kind === "memory-index" && write.segment !== null ? [write.segment.content] : [],
  );
}

/** A number: that of the new memory. */
export type PackedResult = number | Exclude<MemoryWriteResult, { kind: "remember" }>;

export function unpackResults(
  writes: readonly MemoryWrite[],
  results: readonly PackedResult[],
): readonly MemoryWriteResult[] {
  return results.map((result, place) => {
    const write = writes[place];
    if (typeof result !== "number" || write?.kind !== "remember") return result as MemoryWriteResult;
    return { kind: "remember", memory: newlyStored(write.memory, result, [...new Set(write.supersedes)]) };
  });
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
