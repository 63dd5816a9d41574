/**
 * The lines of a file, one behind the other. A line that is too long to be held is told by its place alone, and read
 * part by part. What ends a line is no part of it.
 */
import { FRAME_BYTES, type StoredFile } from "../../../store/file-store.ts";
import type { ScopedStore } from "../../../store/store.ts";
import type { Encoding } from "../../files/explore/detect-encoding.ts";
import { filePieces } from "../../files/file-pieces.ts";
import { fileEncoding, headEncoding, isUtf16 } from "../../files/slice-text.ts";
import { countFeeds, nextFeed, signBytes, type Utf16 } from "./line-feeds.ts";
import { cutPart, type FilePlace, type PartBytes } from "./line-part.ts";

export interface LineSizes {
  /** In a line of more bytes, every place of a match is told by itself. */
  readonly longest: number;
  /** A line of more bytes is read in parts of so many. */
  readonly part: number;
  /** So many bytes of the line are looked at on either side of a part: no match across a border is longer. */
  readonly around: number;
}

/** An exact text of 10,000 characters has up to 30,000 bytes. */
export const LINE_SIZES: LineSizes = { longest: 4_096, part: 1024 * 1024, around: 32 * 1024 };

export interface Line {
  /** Null where it has to be read in parts. */
  readonly bytes: Buffer | null;
  readonly byte: number;
  readonly line: number;
}

export class FileLines {
  readonly #store: ScopedStore;
  readonly #file: StoredFile;
  readonly #sizes: LineSizes;
  readonly #ahead: BytesAhead;
  #encoding: Promise<Encoding | null> | undefined;
  #utf16: Utf16 | null | undefined;

  constructor(store: ScopedStore, file: StoredFile, sizes: LineSizes) {
    this.#store = store;
    this.#file = file;
    this.#sizes = sizes;
    this.#ahead = new BytesAhead(store, file.id);
  }

  /** Null for everything else; known once something was read. */
  get utf16(): Utf16 | null {
    return this.#utf16 ?? null;
  }

  /** How the file as a whole reads. */
  readonly encoding = (): Promise<Encoding | null> => {
    this.#encoding ??= fileEncoding(this.#store, this.#file.id);
    return this.#encoding;
  };

  /** Ends with a line that has to be read in parts: whoever reads them goes on behind it. */
  async *from(start: FilePlace): AsyncGenerator<Line> {
    let { byte, line } = start;
    let rest: Buffer = Buffer.alloc(0);
    for await (const piece of filePieces(this.#store, this.#file, byte)) {
      if (this.#utf16 === undefined) await this.#learn(start.byte === 0 ? piece : null);
      const bytes = rest.length === 0 ? asBuffer(piece) : Buffer.concat([rest, piece]);
      const [utf16, first] = [this.utf16, byte];
      const order = { utf16, isOdd: first % 2 === 1 };
      let at = 0;
      for (let feed = nextFeed(bytes, 0, order); feed >= 0; feed = nextFeed(bytes, at, order)) {
        const isHeld = feed - at <= this.#sizes.part;
        const held = bytes.subarray(at, feed);
        yield { bytes: isHeld ? held : null, byte, line };
        if (!isHeld) return;
        line += 1 + (utf16 === null ? 0 : countFeeds(held));
        at = feed + signBytes(utf16);
        byte = first + at;
      }
      rest = bytes.subarray(at);
      if (rest.length > this.#sizes.part) return yield { bytes: null, byte, line };
    }
    if (rest.length > 0) yield { bytes: rest, byte, line };
  }

  /** The next part of a long line, with what stands around it in that line. */
  async part(place: FilePlace): Promise<PartBytes> {
    const { part, around } = this.#sizes;
    if (this.#utf16 === undefined) await this.#learn(null);
    const first = place.isInside ? Math.max(0, place.byte - around) : place.byte;
    const bytes = await this.#ahead.read(first, place.byte + part + around);
    // Erased meanwhile: there is no rest of it.
    const isEnd = bytes.length === 0 || first + bytes.length >= this.#file.bytes;
    return cutPart({ bytes, first, isEnd }, place, { utf16: this.utf16, most: part });
  }

  /** By the beginning of the file, which is at hand unless a search goes on. */
  async #learn(head: Uint8Array | null): Promise<void> {
    const encoding = head === null ? await this.encoding() : headEncoding(head);
    this.#utf16 = isUtf16(encoding) ? encoding : null;
  }
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Bytes of a file that are read one stretch behind the other, with overlaps: what was unpacked once is kept for the next. */
class BytesAhead {
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
