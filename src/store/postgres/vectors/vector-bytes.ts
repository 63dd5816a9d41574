/** Converts vectors to bytes and back, and computes their sign bits. */
import { byteaArray } from "../rows.ts";

const BIT_VARYING = 1562;

/** A `bytea[]` of 32-bit floats, little-endian as in memory. */
export function vectorArray(vectors: readonly Float32Array[]): Buffer {
  return byteaArray(
    vectors.map((vector) => new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)),
  );
}

/** A vector as read. The driver reads all values as text, and base64 is the shortest text form of bytes. */
export type VectorRow = { readonly place: number; readonly vector: string };

/** The vectors of each place, counted from 1, in their order. They share one buffer, and are freed together. */
export function vectorsByPlace(rows: readonly VectorRow[], places: number): Float32Array[][] {
  const found = Array.from({ length: places }, (): Float32Array[] => []);
  const characters = rows.reduce((most, { vector }) => Math.max(most, vector.length), 0);
  const longest = 4 * Math.ceil((characters * 3) / 16);
  const { buffer } = new Uint8Array(rows.length * longest);
  const bytes = Buffer.from(buffer);
  rows.forEach(({ place, vector }, i) => {
    const written = bytes.write(vector, i * longest, "base64");
    found[place - 1]?.push(new Float32Array(buffer, i * longest, written / Float32Array.BYTES_PER_ELEMENT));
  });
  return found;
}

/** A `varbit[]` of the sign bits of each vector: a bit is set if the component is above zero. */
export function signBitArray(vectors: readonly Float32Array[]): Buffer {
  const header = [1, 0, BIT_VARYING, vectors.length, 1];
  const sizes = vectors.map(({ length }) => Math.ceil(length / 8));
  const buffer = Buffer.alloc(sizes.reduce((sum, size) => sum + 8 + size, header.length * 4));
  let offset = 0;
  for (const field of header) offset = buffer.writeInt32BE(field, offset);
  vectors.forEach((vector, i) => {
    const size = sizes[i] ?? 0;
    offset = buffer.writeInt32BE(4 + size, offset);
    offset = buffer.writeInt32BE(vector.length, offset);
    writeSigns(vector, buffer, offset);
    offset += size;
  });
  return buffer;
}

function writeSigns(vector: Float32Array, buffer: Buffer, offset: number): void {
  for (let i = 0; i < vector.length; i++) {
    if ((vector[i] ?? 0) <= 0) continue;
    const place = offset + (i >> 3);
    buffer[place] = (buffer[place] ?? 0) | (0x80 >> (i & 7));
  }
}

/** The same for one vector, in the form in which PostgreSQL reads a bit string. */
export function signText(vector: Float32Array): string {
  return Array.from(vector, (component) => (component > 0 ? "1" : "0")).join("");
}

/** Most components that one statement carries. */
const BATCH_COMPONENTS = 1_000_000;

export function* vectorBatches<Passage extends { readonly vector: Float32Array }>(
  passages: readonly Passage[],
): Generator<Passage[]> {
  let batch: Passage[] = [];
  let components = 0;
  for (const passage of passages) {
    if (components > BATCH_COMPONENTS) {
      yield batch;
      [batch, components] = [[], 0];
    }
    batch.push(passage);
    components += passage.vector.length;
  }
  if (batch.length > 0) yield batch;
}
