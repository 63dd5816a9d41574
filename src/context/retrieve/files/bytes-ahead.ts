/** Bytes of a file that are read one stretch behind the other, with overlaps: what was unpacked once is kept for the next. */
import { FRAME_BYTES } from "../../../store/file-store.ts";
import type { ScopedStore } from "../../../store/store.ts";

export class BytesAhead {
  readonly #store: ScopedStore;
  readonly #file: string;
  #first = 0;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(store: ScopedStore, file: string) {
    this.#store = store;
    this.#file = file;
  }

  /** Fewer where the file ends. */
  async read(from: number, to: number): Promise<Buffer> {
    const end = this.#first + this.#bytes.length;
    const isHeld = from >= this.#first && from <= end;
    const held = isHeld ? this.#bytes.subarray(from - this.#first) : Buffer.alloc(0);
    const start = from + held.length;
    // Up to where a frame ends: it is unpacked as a whole.
    const more = to > start ? await this.#read(start, Math.ceil(to / FRAME_BYTES) * FRAME_BYTES) : null;
    this.#first = from;
    this.#bytes = more === null ? held : Buffer.concat([held, more]);
    return this.#bytes.subarray(0, to - from);
  }

  async #read(from: number, to: number): Promise<Uint8Array> {
    return (await this.#store.fileBytes(this.#file, from, to)) ?? new Uint8Array();
  }
}
