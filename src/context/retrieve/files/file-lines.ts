/**
 * Iterates over the lines of a file. A line that is too long for memory is returned only as a position, and read
 * part by part. The line end is not part of a line.
 */
import { FRAME_BYTES, type StoredFile } from "../../../store/file-store.ts";
import type { ScopedStore } from "../../../store/store.ts";
import type { Encoding } from "../../files/explore/detect-encoding.ts";
import { filePieces } from "../../files/file-pieces.ts";
import { fileEncoding, headEncoding, isUtf16 } from "../../files/slice-text.ts";
import { countFeeds, nextFeed, signBytes, type Utf16 } from "./line-feeds.ts";
import { cutPart, type FilePlace, type PartBytes } from "./line-part.ts";

export interface LineSizes {
  /** In a longer line (in bytes), every match is a separate hit. */
  readonly longest: number;
  /** A longer line (in bytes) is read in parts of this size. */
  readonly part: number;
  /** Bytes of the line that are read on either side of a part: no match across a border is longer. */
  readonly around: number;
}

/** An exact text of 10,000 characters has up to 30,000 bytes. */
export const LINE_SIZES: LineSizes = { longest: 4_096, part: 1024 * 1024, around: 32 * 1024 };

export interface Line {
  /** Null if it must be read in parts. */
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

  /** Null for other encodings; known once something was read. */
  get utf16(): Utf16 | null {
    return this.#utf16 ?? null;
  }

  /** The encoding of the file as a whole. */
  readonly encoding = (): Promise<Encoding | null> => {
    this.#encoding ??= fileEncoding(this.#store, this.#file.id);
    return this.#encoding;
  };

  /** Ends with a line that must be read in parts: the caller reads them and continues after it. */
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

  /** The next part of a long line, with the surrounding bytes of that line. */
  async part(place: FilePlace): Promise<PartBytes> {
    const { part, around } = this.#sizes;
    if (this.#utf16 === undefined) await this.#learn(null);
    const first = place.isInside ? Math.max(0, place.byte - around) : place.byte;
    const bytes = await this.#ahead.read(first, place.byte + part + around);
    // The file was erased meanwhile.
    const isEnd = bytes.length === 0 || first + bytes.length >= this.#file.bytes;
    return cutPart({ bytes, first, isEnd }, place, { utf16: this.utf16, most: part });
  }

  /** Uses the beginning of the file, which is already read unless a search is continued. */
  async #learn(head: Uint8Array | null): Promise<void> {
    const encoding = head === null ? await this.encoding() : headEncoding(head);
    this.#utf16 = isUtf16(encoding) ? encoding : null;
  }
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Reads consecutive, overlapping ranges of a file and keeps unpacked bytes for the next range. */
class BytesAhead {
  readonly #store: ScopedStore;
  readonly #file: string;
  #first = 0;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(store: ScopedStore, file: string) {
    this.#store = store;
    this.#file = file;
  }

  /** Returns fewer bytes at the end of the file. */
  async read(from: number, to: number): Promise<Buffer> {
    const end = this.#first + this.#bytes.length;
    const isHeld = from >= this.#first && from <= end;
    const held = isHeld ? this.#bytes.subarray(from - this.#first) : Buffer.alloc(0);
    const start = from + held.length;
    // Up to the end of a frame, because frames are unpacked as a whole.
    const more = to > start ? await this.#read(start, Math.ceil(to / FRAME_BYTES) * FRAME_BYTES) : null;
    this.#first = from;
    this.#bytes = more === null ? held : Buffer.concat([held, more]);
    return this.#bytes.subarray(0, to - from);
  }

  async #read(from: number, to: number): Promise<Uint8Array> {
    return (await this.#store.fileBytes(this.#file, from, to)) ?? new Uint8Array();
  }
}
