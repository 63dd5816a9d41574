/**
 * Reads any part of a file: by lines or by bytes, never splitting a character, with a limit per call. The result
 * says where the rest starts. The cost depends on the size of the part, not on its position in the file.
 */
import type { z } from "zod";
import { PalimpsestError } from "../../errors.ts";
import { type FileStore, FRAME_BYTES, type StoredFile } from "../../store/file-store.ts";
import { counted } from "../../text/counted.ts";
import { MOST_READ_BYTES, type readFileInput } from "../inputs.ts";
import { requireFile } from "./require-file.ts";
import { fileEncoding, isUtf16, plainText, type SliceText, sliceText } from "./slice-text.ts";
import { utf16Border } from "./utf16-border.ts";

export type ReadFileInput = z.input<typeof readFileInput>;

export interface FileSlice extends SliceText {
  readonly startByte: number;
  readonly endByte: number;
  /** The lines at which it begins and ends. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** The rest of the requested range; null if this is all of it. */
  readonly next: FileRange | null;
}

/** The part of a store that reading needs. */
export type ReadableFiles = Pick<FileStore, "file" | "files" | "fileLines" | "fileBytes">;

export const DEFAULT_READ_BYTES = 32_768;
const LINE_FEED = 10;

export async function readFile(store: ReadableFiles, input: ReadFileInput): Promise<FileSlice> {
  const file = await requireFile(store, input.id);
  const maxBytes = requireCount("maxBytes", input.maxBytes ?? DEFAULT_READ_BYTES, 1, MOST_READ_BYTES);
  const lines = await linesIn(store, file);
  const wanted = await wantedRange(input, file.bytes, lines);
  const slice = await cutSlice(store, file.id, wanted, maxBytes, lines);
  const { endsLine: _, ...shown } = slice;
  return { ...shown, next: slice.endByte < wanted.end ? whatIsLeft(slice, input, wanted, file) : null };
}

/** By lines if the rest begins with one, unless bytes were requested; never beyond the requested range. */
function whatIsLeft(
  { lastLine, endByte, endsLine }: CutSlice,
  { startByte, endByte: asked, endLine }: ReadFileInput,
  { end }: Range,
  { bytes }: StoredFile,
): FileRange {
  const isByBytes = startByte !== undefined || asked !== undefined;
  if (endsLine && !isByBytes)
    return { startLine: lastLine + 1, ...(endLine === undefined ? {} : { endLine }) };
  return { startByte: endByte, ...(end < bytes ? { endByte: end } : {}) };
}

/** A range of lines or bytes; the whole file if none is given. */
export type FileRange = Pick<ReadFileInput, "startLine" | "endLine" | "startByte" | "endByte">;

interface Range {
  readonly start: number;
  readonly end: number;
}

/** The bytes of a range, exactly as requested. */
export async function bytesOf(store: ReadableFiles, file: StoredFile, range: FileRange): Promise<Range> {
  return wantedRange(range, file.bytes, await linesIn(store, file));
}

async function linesIn(store: ReadableFiles, file: StoredFile): Promise<LineFinder> {
  return new LineFinder(store, file, await feedsOf(store, file.id));
}

async function wantedRange(input: FileRange, size: number, lines: LineFinder): Promise<Range> {
  const byLine = input.startLine !== undefined || input.endLine !== undefined;
  const byByte = input.startByte !== undefined || input.endByte !== undefined;
  if (byLine && byByte)
    throw new PalimpsestError("invalid-input", "lines and bytes cannot be combined", {
      advice: "Use startLine and endLine, or startByte and endByte.",
    });
  if (byLine) {
    const first = requireCount("startLine", input.startLine ?? 1, 1);
    const last = requireCount("endLine", input.endLine ?? Number.MAX_SAFE_INTEGER, 1);
    if (last < first) throw backwards("startLine", "endLine");
    if (first > lines.count) throw behindEnd(`line ${first}`, counted(lines.count, "line"));
    const end = last >= lines.count ? size : await lines.startOf(last + 1);
    return { start: await lines.startOf(first), end };
  }
  const start = requireCount("startByte", input.startByte ?? 0, 0);
  if (start > size) throw behindEnd(`byte ${start}`, counted(size, "byte"));
  const end = requireCount("endByte", input.endByte ?? size, 0);
  if (end < start) throw backwards("startByte", "endByte");
  return { start, end: Math.min(end, size) };
}

/** Room for the rest of a character at a border. */
const SPARE = 4;

interface CutSlice extends Omit<FileSlice, "next"> {
  readonly endsLine: boolean;
}

async function cutSlice(
  store: ReadableFiles,
  id: string,
  wanted: Range,
  maxBytes: number,
  lines: LineFinder,
): Promise<CutSlice> {
  const from = Math.max(0, wanted.start - SPARE);
  const until = Math.min(wanted.end, wanted.start + maxBytes) + SPARE;
  const around = (await store.fileBytes(id, from, until)) ?? new Uint8Array();
  const cutEnd = Math.min(wanted.end, wanted.start + maxBytes) - from;
  const start = characterStart(around, wanted.start - from);
  const isAll = cutEnd + from >= wanted.end;
  const whole = { start, end: chooseEnd(around, start, cutEnd, isAll) };
  // A single byte of UTF-16 may look like UTF-8; a zero near it means that the file's encoding must be checked.
  const isPlain = !around.includes(0) && plainText(around.subarray(whole.start, whole.end)) !== null;
  const encoding = isPlain ? null : await fileEncoding(store, id);
  // Its bytes may look like a continuation of a UTF-8 character, which would extend the slice.
  const units = { start: wanted.start - from, end: Math.min(whole.end, cutEnd) };
  const cut = isUtf16(encoding) ? wholeUnits(around, units, from % 2 === 1, encoding) : whole;
  const bytes = around.subarray(cut.start, cut.end);
  const [startByte, endByte] = [from + cut.start, from + cut.end];
  const firstLine = await lines.lineOf(startByte);
  const feeds = countFeeds(bytes);
  const endsLine = bytes.at(encoding === "utf-16le" ? -2 : -1) === LINE_FEED;
  const lastLine = firstLine + feeds - (endsLine ? 1 : 0);
  return { startByte, endByte, firstLine, lastLine, ...sliceText(bytes, encoding), endsLine };
}

/** At least one character, so that repeated reading reaches the end. */
function wholeUnits(
  bytes: Uint8Array,
  { start, end }: Range,
  isOdd: boolean,
  encoding: "utf-16le" | "utf-16be",
): Range {
  const order = { isOdd, encoding };
  const from = utf16Border(bytes, start, order);
  const until = utf16Border(bytes, end, order);
  if (until > from || end === start) return { start: from, end: Math.max(from, until) };
  const afterUnit = utf16Border(bytes, from + 2, order);
  return { start: from, end: Math.min(bytes.length, afterUnit > from ? afterUnit : from + SPARE) };
}

/** After the last complete line, if there is one; otherwise before a character that would be split. */
function chooseEnd(bytes: Uint8Array, start: number, wanted: number, isAll: boolean): number {
  if (!isAll) {
    const feed = bytes.lastIndexOf(LINE_FEED, wanted - 1);
    if (feed > start) return feed + 1;
  }
  const whole = characterStart(bytes, wanted);
  return whole > start ? whole : Math.min(bytes.length, characterEnd(bytes, wanted));
}

/** The first byte of the character at a position; the position itself in binary data. */
function characterStart(bytes: Uint8Array, position: number): number {
  for (let at = position; at >= 0 && at > position - SPARE; at--)
    if (!isContinuation(bytes[at])) return lengthAt(bytes, at) > position - at ? at : position;
  return position;
}

function characterEnd(bytes: Uint8Array, position: number): number {
  let at = position;
  while (isContinuation(bytes[at])) at++;
  return at;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** Length of the character that begins here, according to its first byte. */
function lengthAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] ?? 0;
  if (byte >= 0xf0) return 4;
  if (byte >= 0xe0) return 3;
  return byte >= 0xc0 ? 2 : 1;
}

function countFeeds(bytes: Uint8Array): number {
  let found = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) found++;
  return found;
}

async function feedsOf(store: ReadableFiles, id: string): Promise<Uint32Array> {
  return (await store.fileLines(id)) ?? new Uint32Array();
}

/** Converts lines to bytes and back by reading one frame. */
class LineFinder {
  readonly #store: ReadableFiles;
  readonly #file: StoredFile;
  /** The number of line feeds before each frame, and in total. */
  readonly #before: Float64Array;

  constructor(store: ReadableFiles, file: StoredFile, feeds: Uint32Array) {
    this.#store = store;
    this.#file = file;
    this.#before = new Float64Array(feeds.length + 1);
    feeds.forEach((count, frame) => {
      this.#before[frame + 1] = (this.#before[frame] ?? 0) + count;
    });
  }

  /** The first line of an empty file can also be requested. */
  get count(): number {
    return Math.max(1, this.#file.lines);
  }

  /** The byte at which a line begins. */
  async startOf(line: number): Promise<number> {
    if (line <= 1) return 0;
    const feeds = line - 1;
    const frame = this.#frameWith(feeds);
    const bytes = await this.#read(frame);
    let at = -1;
    for (let seen = this.#before[frame] ?? 0; seen < feeds; seen++) {
      at = bytes.indexOf(LINE_FEED, at + 1);
      if (at < 0) return this.#file.bytes;
    }
    return frame * FRAME_BYTES + at + 1;
  }

  /** The line that contains a byte. */
  async lineOf(byte: number): Promise<number> {
    const frame = Math.min(Math.floor(byte / FRAME_BYTES), Math.max(0, this.#before.length - 2));
    const bytes = await this.#read(frame);
    return (this.#before[frame] ?? 0) + countFeeds(bytes.subarray(0, byte - frame * FRAME_BYTES)) + 1;
  }

  /** The frame that contains the n-th line feed. */
  #frameWith(feeds: number): number {
    let [low, high] = [0, this.#before.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#before[middle + 1] ?? Infinity) >= feeds) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  async #read(frame: number): Promise<Uint8Array> {
    const start = frame * FRAME_BYTES;
    return (await this.#store.fileBytes(this.#file.id, start, start + FRAME_BYTES)) ?? new Uint8Array();
  }
}

function requireCount(name: string, value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new PalimpsestError("invalid-input", `${name} must be a whole number ${range}`);
}

function backwards(first: string, last: string): PalimpsestError {
  return new PalimpsestError("invalid-input", `${last} is before ${first}`);
}

function behindEnd(where: string, size: string): PalimpsestError {
  return new PalimpsestError("invalid-input", `${where} is after the end: the file has ${size}`);
}
