/**
 * The pages of a database file as they are on disk, newest version first: committed pages of a write-ahead log beside it take
 * precedence. Reads without SQLite, so that one damaged page never hides another.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { fileErrorCode } from "../../../text/file-problem.ts";

const USUAL_PAGE_SIZE = 4096;
const LOG_HEADER = 32;
const FRAME_HEADER = 24;

export class PageFile {
  readonly pageSize: number;
  readonly pageCount: number;
  readonly #file: number;
  readonly #log: number | null;
  /** The offset of the newest version of a page in the log. */
  readonly #logged: ReadonlyMap<number, number>;

  constructor(file: string) {
    this.#file = openSync(file, "r");
    this.#log = openIfThere(`${file}-wal`);
    this.pageSize = pageSizeIn(this.#bytes(this.#file, 0, 100));
    this.#logged = this.#log === null ? new Map() : committedPages(this.#log, this.pageSize);
    const size = fstatSync(this.#file).size;
    this.pageCount = Math.max(Math.ceil(size / this.pageSize), ...this.#logged.keys(), 0);
  }

  /** Numbered from 1. Missing bytes at the end of a truncated file are zero. */
  page(number: number): Buffer {
    const logged = this.#logged.get(number);
    if (logged !== undefined && this.#log !== null) return this.#bytes(this.#log, logged, this.pageSize);
    return this.#bytes(this.#file, (number - 1) * this.pageSize, this.pageSize);
  }

  close(): void {
    closeSync(this.#file);
    if (this.#log !== null) closeSync(this.#log);
  }

  /** A part of the disk that cannot be read counts as zeros: the rest is still needed. */
  #bytes(descriptor: number, offset: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    try {
      readSync(descriptor, bytes, 0, length, offset);
    } catch (error) {
      if (fileErrorCode(error) !== "EIO") throw error;
    }
    return bytes;
  }
}

function openIfThere(file: string): number | null {
  try {
    return openSync(file, "r");
  } catch (error) {
    if (fileErrorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** An impossible header is damaged, and stores are created with the usual page size. */
function pageSizeIn(header: Buffer): number {
  const stored = header.readUInt16BE(16);
  const size = stored === 1 ? 65536 : stored;
  const isPossible = size >= 512 && (size & (size - 1)) === 0;
  return isPossible && header.subarray(0, 15).toString("latin1") === "SQLite format 3"
    ? size
    : USUAL_PAGE_SIZE;
}

/** Frames are valid up to the last one that ends a transaction and whose checksum follows from those before it. */
function committedPages(log: number, pageSize: number): Map<number, number> {
  const committed = new Map<number, number>();
  const header = Buffer.alloc(LOG_HEADER);
  if (readSync(log, header, 0, LOG_HEADER, 0) < LOG_HEADER) return committed;
  const magic = header.readUInt32BE(0);
  if (magic >>> 1 !== 0x377f0682 >>> 1 || header.readUInt32BE(8) !== pageSize) return committed;
  const sum = new LogChecksum((magic & 1) === 1);
  sum.add(header.subarray(0, 24));
  const frame = Buffer.alloc(FRAME_HEADER + pageSize);
  const open = new Map<number, number>();
  for (let at = LOG_HEADER; readSync(log, frame, 0, frame.length, at) === frame.length; at += frame.length) {
    sum.add(frame.subarray(0, 8));
    sum.add(frame.subarray(FRAME_HEADER));
    if (!frame.subarray(8, 16).equals(header.subarray(16, 24)) || !sum.isAt(frame, 16)) break;
    open.set(frame.readUInt32BE(0), at + FRAME_HEADER);
    if (frame.readUInt32BE(4) === 0) continue;
    for (const [page, place] of open) committed.set(page, place);
    open.clear();
  }
  return committed;
}

class LogChecksum {
  readonly #isBigEndian: boolean;
  #first = 0;
  #second = 0;

  constructor(isBigEndian: boolean) {
    this.#isBigEndian = isBigEndian;
  }

  add(bytes: Buffer): void {
    const word = (at: number) => (this.#isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at));
    for (let at = 0; at < bytes.length; at += 8) {
      this.#first = (this.#first + word(at) + this.#second) >>> 0;
      this.#second = (this.#second + word(at + 4) + this.#first) >>> 0;
    }
  }

  isAt(bytes: Buffer, at: number): boolean {
    return bytes.readUInt32BE(at) === this.#first && bytes.readUInt32BE(at + 4) === this.#second;
  }
}
