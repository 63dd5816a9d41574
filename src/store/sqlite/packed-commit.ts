/**
 * Packs a commit for the writer, and its answer. All vectors are in one buffer, which is transferred instead of copied, and
 * everything else is one text: copying objects would cost more than storing them. For a new memory only its number is
 * returned, since the caller has the rest.
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
import type { EmbedWrite } from "../message-vectors.ts";
import { newlyStored } from "../rules/newly-stored.ts";
import type { Write } from "../store.ts";

/** This many vectors of this length, from this offset of the buffer on. */
export interface PackedVectors {
  readonly model: string;
  readonly dimensions: number;
  readonly count: number;
  readonly start: number;
}

/** The vectors, as views of the buffer. */
export function unpackPassages(
  { dimensions, count, start }: PackedVectors,
  floats: Float32Array,
): Float32Array[] {
  return Array.from({ length: count }, (_, passage) => {
    const from = start + passage * dimensions;
    return floats.subarray(from, from + dimensions);
  });
}

type PackedRemember = Omit<RememberWrite, "vectors"> & { readonly vectors?: PackedVectors };
type PackedVectorWrite = Omit<VectorWrite, "vectors"> & { readonly vectors: PackedVectors };
type OtherWrite = Exclude<MemoryWrite, RememberWrite | VectorWrite>;
type PackedMemoryWrite = OtherWrite | PackedRemember | PackedVectorWrite;

export interface PackedCommit {
  /** JSON of the writes, without the contents of segments. */
  readonly writes: string;
  readonly floats: Float32Array<ArrayBuffer>;
  /** Contents of the segments, in the order of their writes. */
  readonly contents: readonly Uint8Array[];
}

export function packCommit(writes: readonly MemoryWrite[]): PackedCommit {
  const packer = new Packer(writes.flatMap((write) => vectorsOf(write) ?? []));
  const packed = writes.map((write) => {
    if (write.kind === "vectors") return { ...write, vectors: packer.pack(write.vectors) };
    if (write.kind === "memory-index") return withoutContent(write);
    if (write.kind !== "remember") return write;
    const { vectors, ...rest } = write;
    return vectors === undefined ? rest : { ...rest, vectors: packer.pack(vectors) };
  });
  return { writes: JSON.stringify(packed), floats: packer.floats, contents: contentsOf(writes) };
}

export function unpackWrites({ writes, contents, floats }: PackedCommit): MemoryWrite[] {
  let next = 0;
  const unpack = (vectors: PackedVectors): PassageVectors => ({
    model: vectors.model,
    vectors: unpackPassages(vectors, floats),
  });
  return (JSON.parse(writes) as readonly PackedMemoryWrite[]).map((write): MemoryWrite => {
    if (write.kind === "vectors") return { ...write, vectors: unpack(write.vectors) };
    if (write.kind === "memory-index" && write.segment !== null)
      return { ...write, segment: { ...write.segment, content: contents[next++] as Uint8Array } };
    if (write.kind !== "remember") return write;
    const { vectors, ...rest } = write;
    return vectors === undefined ? rest : { ...rest, vectors: unpack(vectors) };
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

/** A number: the number of the new memory. */
export type PackedResult = number | Exclude<MemoryWriteResult, { kind: "remember" }>;

export function packResult(result: MemoryWriteResult): PackedResult {
  return result.kind === "remember" ? result.memory.number : result;
}

export function unpackResults(
  writes: readonly MemoryWrite[],
  results: readonly PackedResult[],
): readonly MemoryWriteResult[] {
  return results.map((result, place) => {
    const write = writes[place];
    if (typeof result !== "number" || write?.kind !== "remember") return result as MemoryWriteResult;
    return { kind: "remember", memory: newlyStored(write, result) };
  });
}

export interface PackedEmbed extends Omit<EmbedWrite, "messages"> {
  readonly messages: readonly { readonly seq: number; readonly vectors: PackedVectors }[];
  readonly floats: Float32Array<ArrayBuffer>;
}
export type PackedWrite = Exclude<Write, EmbedWrite> | PackedEmbed;

export function packWrite(write: Write): PackedWrite {
  if (write.kind !== "embed") return write;
  const { model } = write;
  const packer = new Packer(write.messages.map(({ vectors }) => ({ model, vectors })));
  const messages = write.messages.map(({ seq, vectors }) => ({
    seq,
    vectors: packer.pack({ model, vectors }),
  }));
  return { ...write, messages, floats: packer.floats };
}

/** Concatenates vectors. */
class Packer {
  readonly floats: Float32Array<ArrayBuffer>;
  #start = 0;

  constructor(all: readonly PassageVectors[]) {
    this.floats = new Float32Array(all.reduce((sum, vectors) => sum + lengthOf(vectors), 0));
  }

  pack(vectors: PassageVectors): PackedVectors {
    const packed = { model: vectors.model, ...shapeOf(vectors), start: this.#start };
    for (const vector of vectors.vectors) {
      this.floats.set(vector, this.#start);
      this.#start += vector.length;
    }
    return packed;
  }
}

function vectorsOf(write: MemoryWrite): PassageVectors | undefined {
  return write.kind === "remember" || write.kind === "vectors" ? write.vectors : undefined;
}

function lengthOf({ vectors }: PassageVectors): number {
  return vectors.reduce((sum, { length }) => sum + length, 0);
}

function shapeOf({ vectors }: PassageVectors): { count: number; dimensions: number } {
  const dimensions = vectors[0]?.length ?? 0;
  if (dimensions === 0 || vectors.some(({ length }) => length !== dimensions))
    throw new PalimpsestError(
      "invalid-input",
      "a text needs at least one embedding, and all must have the same length",
      {
        advice: "Pass the embeddings of one model for the passages of this text; nothing was written.",
      },
    );
  return { count: vectors.length, dimensions };
}
