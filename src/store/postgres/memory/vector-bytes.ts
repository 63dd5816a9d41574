/** Vectors in the protocol's binary form of `real[]`, in both directions, and the signs of their components. */

const REAL = 700;
const BIT_VARYING = 1562;
const HEADER_WORDS = 5;

/** All vectors behind one another as one `real[]`, of which statements take slices. */
export function realArray(vectors: readonly Float32Array[]): Buffer {
  const length = vectors.reduce((sum, vector) => sum + vector.length, 0);
  const words = new Uint32Array(HEADER_WORDS + 2 * length);
  words.set([1, 0, REAL, length, 1]);
  let place = HEADER_WORDS;
  for (const vector of vectors)
    for (const bits of new Uint32Array(vector.buffer, vector.byteOffset, vector.length)) {
      words[place++] = Float32Array.BYTES_PER_ELEMENT;
      words[place++] = bits;
    }
  return Buffer.from(words.buffer).swap32();
}

/** What `array_send` gives of a `real[]`. */
export function fromArraySend(sent: Uint8Array): Float32Array {
  const words = new Uint32Array(sent.byteLength / 4);
  Buffer.from(words.buffer).set(sent);
  Buffer.from(words.buffer).swap32();
  const bits = new Uint32Array((words.length - HEADER_WORDS) / 2);
  for (let i = 0; i < bits.length; i++) bits[i] = words[HEADER_WORDS + 2 * i + 1] ?? 0;
  return new Float32Array(bits.buffer);
}

/** A `varbit[]` of the signs of each vector: a bit is set where the component is above zero. */
export function signBitArray(vectors: readonly Float32Array[]): Buffer {
  const items = vectors.map(signBits);
  const size = items.reduce((sum, item) => sum + 8 + item.byteLength, HEADER_WORDS * 4);
  const buffer = Buffer.allocUnsafe(size);
  let offset = 0;
  for (const field of [1, 0, BIT_VARYING, items.length, 1]) offset = buffer.writeInt32BE(field, offset);
  items.forEach((item, i) => {
    offset = buffer.writeInt32BE(4 + item.byteLength, offset);
    offset = buffer.writeInt32BE(vectors[i]?.length ?? 0, offset);
    buffer.set(item, offset);
    offset += item.byteLength;
  });
  return buffer;
}

/** The same of one vector, as PostgreSQL reads a bit string. */
export function signText(vector: Float32Array): string {
  return Array.from(vector, (component) => (component > 0 ? "1" : "0")).join("");
}

function signBits(vector: Float32Array): Uint8Array {
  const bits = new Uint8Array(Math.ceil(vector.length / 8));
  vector.forEach((component, i) => {
    if (component > 0) bits[i >> 3] = (bits[i >> 3] ?? 0) | (0x80 >> (i & 7));
  });
  return bits;
}
