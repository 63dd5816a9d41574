/** Whether each open container is an object: one bit each, because a file may open a hundred million of them. */
export class ContainerStack {
  #bits = new Uint8Array(64);
  depth = 0;

  push(isObject: boolean): void {
    const byte = this.depth >> 3;
    if (byte === this.#bits.length) this.#grow();
    const bit = 1 << (this.depth & 7);
    this.#bits[byte] = isObject ? (this.#bits[byte] ?? 0) | bit : (this.#bits[byte] ?? 0) & ~bit;
    this.depth++;
  }

  pop(): void {
    this.depth--;
  }

  get isObject(): boolean {
    if (this.depth === 0) return false;
    const last = this.depth - 1;
    return ((this.#bits[last >> 3] ?? 0) & (1 << (last & 7))) !== 0;
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bits.length * 2);
    larger.set(this.#bits);
    this.#bits = larger;
  }
}
