/** Variable-length numbers: seven bits per byte, lowest first, so small numbers take one byte. */

/** Up to this many bytes, a loop copies faster than a call. */
const FEW = 32;

export class ByteWriter {
  #bytes: Uint8Array;
  #length = 0;

  constructor(capacity = 16) {
    this.#bytes = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  varint(value: number): void {
    let rest = value;
    this.#reserve(8);
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Short for small numbers of either sign. */
  signed(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** Writes the bytes from this position on. */
  bytes(bytes: Uint8Array, from = 0): void {
    this.#reserve(bytes.length - from);
    if (bytes.length - from > FEW) this.#bytes.set(from === 0 ? bytes : bytes.subarray(from), this.#length);
    else for (let i = from; i < bytes.length; i++) this.#bytes[this.#length + i - from] = bytes[i] ?? 0;
    this.#length += bytes.length - from;
  }

  /** The bytes written so far. Later writes do not change it. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  copy(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    larger.set(this.view());
    this.#bytes = larger;
  }
}

export class ByteReader {
  readonly #bytes: Uint8Array;
  position: number;

  constructor(bytes: Uint8Array, position = 0) {
    this.#bytes = bytes;
    this.position = position;
  }

  get isDone(): boolean {
    return this.position >= this.#bytes.length;
  }

  byte(): number {
    return this.#bytes[this.position++] ?? 0;
  }

  varint(): number {
    let byte = this.#bytes[this.position++] ?? 0;
    let value = byte & 0x7f;
    for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
      byte = this.#bytes[this.position++] ?? 0;
      value += (byte & 0x7f) * scale;
    }
    return value;
  }

  signed(): number {
    const value = this.varint();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  bytes(length: number): Uint8Array {
    this.position += length;
    return this.#bytes.subarray(this.position - length, this.position);
  }
}
