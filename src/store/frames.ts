/**
 * A content as a row of compressed frames, each of which can be opened without the others. Concatenated they are an ordinary
 * zstd file. A table beside them has the size of each frame and the number of line feeds in it.
 */
import { createHash, type Hash } from "node:crypto";
import { promisify } from "node:util";
import zlib from "node:zlib";
import type { PalimpsestError } from "../errors.ts";
import { joinBytes } from "../text/bytes.ts";
import { FRAME_BYTES } from "./file-store.ts";
import { damagedContent } from "./store-errors.ts";

export interface Frame {
  readonly stored: Uint8Array;
  readonly lineFeeds: number;
}

/** For each frame in order, two 32-bit numbers, little-endian: its size in bytes, and the line feeds in it. */
type FrameTable = Uint8Array;

export interface FramedContent {
  readonly hash: string;
  readonly bytes: number;
  /** A last line without a line feed counts. */
  readonly lines: number;
  readonly table: FrameTable;
}

const SPARE = 64;
/** Level 3 takes a fifth longer and saves no space in frames of this size; level 1 takes 3 % more space. */
const COMPRESSION = {
  chunkSize: 64 * 1024,
  params: { [zlib.constants.ZSTD_c_compressionLevel]: 2, [zlib.constants.ZSTD_c_checksumFlag]: 1 },
};

/** Looked up when it is needed: opening a store fails with this reason on a Node that lacks it. */
const compress = (bytes: Uint8Array) => promisify(zlib.zstdCompress)(bytes, COMPRESSION);

/** Takes bytes in pieces of any size and returns frames. */
export class FrameMaker {
  readonly #hash: Hash | null;
  readonly #known: string | null;
  readonly #sizes: number[] = [];
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #bytes = 0;
  #lineFeeds = 0;
  #last: number | undefined;

  /** Pass `hash` if it is known: computing it takes as long as compressing. */
  constructor(hash: string | null = null) {
    this.#known = hash;
    this.#hash = hash === null ? createHash("sha256") : null;
  }

  /** The frames that are full now. */
  *add(piece: Uint8Array): Generator<Frame> {
    this.#take(piece);
    for (const bytes of this.#cut(piece))
      yield this.#record(bytes, zlib.zstdCompressSync(bytes, COMPRESSION));
  }

  /** The same, compressed in other threads while this one computes the hash. Await it before the next call. */
  async addInBackground(piece: Uint8Array): Promise<Frame[]> {
    const cut = [...this.#cut(piece)];
    const compressing = Promise.all(cut.map((bytes) => compress(bytes)));
    this.#take(piece);
    const stored = await compressing;
    return cut.map((bytes, place) => this.#record(bytes, stored[place] ?? new Uint8Array()));
  }

  /** The last frame, if bytes are left for one. */
  *end(): Generator<Frame> {
    if (this.#waitingBytes === 0) return;
    const bytes = this.#joinWaiting();
    yield this.#record(bytes, zlib.zstdCompressSync(bytes, COMPRESSION));
  }

  get content(): FramedContent {
    return {
      hash: this.#known ?? this.#hash?.copy().digest("hex") ?? "",
      bytes: this.#bytes,
      lines: this.#lineFeeds + (this.#last === undefined || this.#last === LINE_FEED ? 0 : 1),
      table: new Uint8Array(Uint32Array.from(this.#sizes).buffer),
    };
  }

  #take(piece: Uint8Array): void {
    this.#hash?.update(piece);
    this.#bytes += piece.byteLength;
    this.#last = piece.at(-1) ?? this.#last;
  }

  /** Cuts the pieces that each fill one frame. */
  *#cut(piece: Uint8Array): Generator<Uint8Array> {
    let at = 0;
    while (piece.byteLength - at >= FRAME_BYTES - this.#waitingBytes) {
      const end = at + FRAME_BYTES - this.#waitingBytes;
      this.#wait(piece.subarray(at, end));
      at = end;
      yield this.#joinWaiting();
    }
    // Bytes that are kept must not change when the caller reuses its buffer.
    if (at < piece.byteLength) this.#wait(piece.slice(at));
  }

  #wait(piece: Uint8Array): void {
    this.#waiting.push(piece);
    this.#waitingBytes += piece.byteLength;
  }

  #joinWaiting(): Uint8Array {
    const [only, ...more] = this.#waiting;
    const bytes = only !== undefined && more.length === 0 ? only : joinBytes(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    return bytes;
  }

  #record(bytes: Uint8Array, stored: Uint8Array): Frame {
    const lineFeeds = countLineFeeds(bytes);
    this.#sizes.push(stored.byteLength, lineFeeds);
    this.#lineFeeds += lineFeeds;
    return { stored, lineFeeds };
  }
}

const LINE_FEED = 10;

function countLineFeeds(bytes: Uint8Array): number {
  let found = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) found++;
  return found;
}

/** Bytes of a table entry: two 32-bit numbers. */
const ENTRY_BYTES = 8;

/** Whether a table has an entry for each frame of a content of so many bytes. */
export function requireTable(tableBytes: number, bytes: number): void {
  if (tableBytes !== ENTRY_BYTES * Math.ceil(bytes / FRAME_BYTES)) throw foreignTable();
}

function foreignTable(): PalimpsestError {
  return damagedContent("its frames do not match their table");
}

/** Where a frame is among the stored bytes, and which frames hold a range of the content. */
export class FrameIndex {
  readonly #numbers: Uint32Array;

  /** `bytes` is the size of the content. A table that does not fit it is refused. */
  constructor(table: FrameTable, bytes: number) {
    requireTable(table.byteLength, bytes);
    this.#numbers = new Uint32Array(new Uint8Array(table).buffer);
    // A frame that contains only line feeds has as many as bytes.
    if (this.lineFeeds.some((feeds) => feeds > FRAME_BYTES)) throw foreignTable();
  }

  get frames(): number {
    return this.#numbers.length / 2;
  }

  get lineFeeds(): Uint32Array {
    return this.#numbers.filter((_, index) => index % 2 === 1);
  }

  /** Total size of all frames in bytes. */
  get storedBytes(): number {
    return this.storedRange(0, this.frames).length;
  }

  /** The first frame that holds bytes of the range, and the one after the last. */
  framesOf(start: number, end: number): { readonly first: number; readonly behind: number } {
    const first = Math.min(Math.floor(start / FRAME_BYTES), this.frames);
    return { first, behind: end <= start ? first : Math.min(Math.ceil(end / FRAME_BYTES), this.frames) };
  }

  storedRange(first: number, behind: number): { readonly offset: number; readonly length: number } {
    let offset = 0;
    let length = 0;
    for (let frame = 0; frame < behind; frame++)
      if (frame < first) offset += this.storedSize(frame);
      else length += this.storedSize(frame);
    return { offset, length };
  }

  storedSize(frame: number): number {
    return this.#numbers[2 * frame] ?? 0;
  }
}

/** The bytes of a frame of a content of `contentBytes`. A wrong length means damage. */
export function openFrame(stored: Uint8Array, frame: number, contentBytes: number): Uint8Array {
  const expected = Math.min(FRAME_BYTES, contentBytes - frame * FRAME_BYTES);
  const opened = decompress(stored, frame, expected);
  if (opened.byteLength !== expected)
    throw damagedContent(`frame ${frame} has ${opened.byteLength} bytes instead of ${expected}`);
  return opened;
}

/** With room for all expected bytes, the output is one piece. Spare room tells the decoder that nothing follows. */
function decompress(stored: Uint8Array, frame: number, expected: number): Uint8Array {
  try {
    return zlib.zstdDecompressSync(stored, { maxOutputLength: FRAME_BYTES, chunkSize: expected + SPARE });
  } catch (error) {
    throw damagedContent(`frame ${frame} is damaged`, error);
  }
}

/** Opened frames, of which `first` is the first, cut to the range. */
export function cutRange(
  frames: readonly Uint8Array[],
  first: number,
  start: number,
  end: number,
): Uint8Array {
  const whole = frames.length === 1 && frames[0] !== undefined ? frames[0] : joinBytes(frames);
  const offset = first * FRAME_BYTES;
  return whole.subarray(start - offset, Math.max(start, end) - offset);
}
