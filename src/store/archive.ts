/**
 * A whole store as one file: a line of JSON for each row that is not a cache, between a header and a closing line with the
 * count and the checksum of everything before it. Both engines write and read the same format.
 */
import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import zlib from "node:zlib";
import { isPalimpsestError, messageOf, PalimpsestError } from "../errors.ts";
import {
  cannotBeCreated,
  cannotBeWritten,
  fileErrorCode,
  fileProblem,
  nameInUse,
} from "../text/file-problem.ts";
import { jsonProblem } from "../text/json-problem.ts";
import { splitLines } from "../text/split-lines.ts";
import { decodeLeniently } from "../text/utf8.ts";
import { decodeRow, encodeRow } from "./archive-rows.ts";
import type { DumpOptions, DumpRow, NamedDamage, Store } from "./store.ts";

const FORMAT = "palimpsest-store";
const FORMAT_VERSION = 1;
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

interface ArchiveProgress {
  readonly rows: number;
  readonly bytes: number;
}

export interface ArchiveReport extends ArchiveProgress {
  readonly file: string;
  readonly conversations: number;
  readonly messages: number;
  readonly sha256: string;
  /** What is damaged or missing; the file lists it as well. */
  readonly damages: NamedDamage[];
}

interface ArchiveOptions extends DumpOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: ArchiveProgress) => void;
}

/** Compressed when the name ends in `.zst`. The file appears under its name only once it is complete. */
export async function writeArchive(
  store: Store,
  file: string,
  options: ArchiveOptions = {},
): Promise<ArchiveReport> {
  if (existsSync(file)) throw nameInUse(file);
  const unfinished = `${file}.part`;
  const report = emptyReport(file);
  const handle = await open(unfinished, "w", 0o600).catch((error: unknown) => {
    throw cannotBeCreated(file, error);
  });
  const lines = Readable.from(archiveLines(store, report, options));
  try {
    const target = handle.createWriteStream({ flush: true });
    const ending = options.signal === undefined ? {} : { signal: options.signal };
    if (file.endsWith(".zst")) await pipeline(lines, zlib.createZstdCompress(), target, ending);
    else await pipeline(lines, target, ending);
    await rename(unfinished, file);
    return report;
  } catch (error) {
    await rm(unfinished, { force: true });
    if (options.signal?.aborted === true)
      throw new PalimpsestError(
        "cancelled",
        `writing ${file} was cancelled; the incomplete file was removed`,
      );
    if (error instanceof PalimpsestError) throw error;
    throw cannotBeWritten(file, error);
  }
}

type Counts = { -readonly [Key in keyof ArchiveReport]: ArchiveReport[Key] };

export function emptyReport(file: string): Counts {
  return { file, rows: 0, bytes: 0, conversations: 0, messages: 0, sha256: "", damages: [] };
}

/** The lines of an archive, for a file or a stream. */
export async function* archiveLines(
  store: Store,
  report: Counts,
  { onProgress, ...how }: Omit<ArchiveOptions, "signal"> = {},
): AsyncIterable<string> {
  const checksum = createHash("sha256");
  const add = (line: string) => {
    checksum.update(line);
    report.bytes += Buffer.byteLength(line);
    return line;
  };
  yield add(`${JSON.stringify({ row: FORMAT, version: FORMAT_VERSION })}\n`);
  for await (const row of store.dump(how)) {
    yield add(`${encodeRow(row)}\n`);
    report.rows++;
    if (row.row === "conversation") report.conversations++;
    if (row.row === "message") report.messages++;
    if (row.row === "damage") report.damages.push(withoutKind(row));
    if (report.rows % 1000 === 0) onProgress?.(report);
  }
  report.sha256 = checksum.digest("hex");
  const lacks = report.damages.length === 0 ? {} : { damages: report.damages.length };
  yield `${JSON.stringify({ row: "end", rows: report.rows, sha256: report.sha256, ...lacks })}\n`;
}

export function withoutKind({ row: _, ...damage }: Extract<DumpRow, { row: "damage" }>): NamedDamage {
  return damage;
}

/** The contents of an archive's closing line, verified by reading the archive. */
export interface ArchiveEnd {
  readonly rows: number;
  /** Of the content before compression. */
  readonly bytes: number;
  readonly sha256: string;
}

/** The rows of an archive. Throws at the end if the archive was changed or truncated; otherwise calls `onEnd`. */
export async function* readArchive(file: string, onEnd?: (end: ArchiveEnd) => void): AsyncIterable<DumpRow> {
  const checksum = createHash("sha256");
  let bytes = 0;
  let rows = -1;
  let number = 0;
  const refuse = (problem: string) => corrupt(file, `line ${number}: ${problem}`);
  let ending: { rows?: unknown; sha256?: unknown } | undefined;
  for await (const line of openLines(file)) {
    if (ending !== undefined) throw damaged(file, "it continues after its closing line");
    number++;
    const value = parseLine(line, refuse);
    if (rows === -1) requireHeader(file, value);
    if (value.row === "end") {
      ending = value;
      continue;
    }
    checksum.update(`${line}\n`);
    bytes += Buffer.byteLength(line) + 1;
    if (++rows > 0) yield decodeRow(value, refuse);
  }
  if (ending === undefined) throw cutOff(file, "its closing line is missing");
  const sha256 = checksum.digest("hex");
  if (ending.rows !== rows || ending.sha256 !== sha256)
    throw damaged(file, "its content does not match its checksum");
  onEnd?.({ rows, bytes, sha256 });
}

/** Throws if the file is compressed and cannot be decompressed: its type is unknown then, but the error can be reported. */
export async function isArchive(file: string): Promise<boolean> {
  for await (const line of openLines(file, 4096)) {
    try {
      return parseLine(line, (problem) => corrupt(file, problem)).row === FORMAT;
    } catch (error) {
      if (!isPalimpsestError(error)) throw error;
      return false;
    }
  }
  return false;
}

/** Throws unless the file is an archive, and says whether it is another kind of file or a damaged archive. */
export async function requireArchive(file: string): Promise<void> {
  if (await isArchive(file)) return;
  for await (const _ of openLines(file, 4096))
    throw new PalimpsestError("invalid-input", `${file} is not a backup or export of a palimpsest store`, {
      advice: "Create backups with lcm backup. To import a transcript, use lcm import.",
    });
  throw cutOff(file, "it is empty");
}

async function* openLines(file: string, limit?: number): AsyncIterable<string> {
  const isCompressed = await startsWith(file, ZSTD_MAGIC);
  const source = createReadStream(file, limit === undefined || isCompressed ? {} : { end: limit });
  const input = isCompressed ? source.pipe(zlib.createZstdDecompress()) : source;
  source.on("error", (error) => input.destroy(error));
  try {
    for await (const line of splitLines(input)) yield decodeLeniently(line.bytes);
  } catch (error) {
    throw unreadable(file, error);
  } finally {
    source.destroy();
  }
}

async function startsWith(file: string, magic: Buffer): Promise<boolean> {
  try {
    const handle = await open(file, "r");
    try {
      const { buffer } = await handle.read(Buffer.alloc(magic.length), 0, magic.length, 0);
      return buffer.equals(magic);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new PalimpsestError("not-found", `${file} cannot be read: ${fileProblem(error)}`);
  }
}

function parseLine(
  line: string,
  refuse: (problem: string) => PalimpsestError,
): { row?: unknown; version?: unknown; rows?: unknown; sha256?: unknown } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw refuse(jsonProblem(error));
  }
  if (typeof value === "object" && value !== null) return value;
  throw refuse("it is not an object");
}

function requireHeader(file: string, value: { row?: unknown; version?: unknown }): void {
  if (value.row !== FORMAT)
    throw new PalimpsestError("not-supported", `${file} is not an export of a palimpsest store`);
  if (value.version !== FORMAT_VERSION)
    throw new PalimpsestError("store-newer", `${file} was written by a newer palimpsest`, {
      advice: "Update palimpsest: npm install palimpsest@latest",
    });
}

/** Decompression reaches the end of a file that was written or copied only in part. */
function unreadable(file: string, error: unknown): PalimpsestError {
  if (fileErrorCode(error) === "Z_BUF_ERROR")
    return cutOff(file, "it ends in the middle of its compressed data");
  if (fileErrorCode(error)?.startsWith("ZSTD_") === true)
    return damaged(file, `its compressed data cannot be unpacked (${messageOf(error)})`);
  return new PalimpsestError("not-found", `${file} cannot be read: ${fileProblem(error)}`, { cause: error });
}

function cutOff(file: string, problem: string): PalimpsestError {
  return unusable(`${file} is cut off: ${problem}`, "Copy it again from its source. ");
}

function damaged(file: string, problem: string): PalimpsestError {
  return unusable(`${file} is damaged: ${problem}`);
}

/** A line that cannot be read may come from damage or from another kind of file. */
function corrupt(file: string, problem: string): PalimpsestError {
  return unusable(`${file} is cut off or damaged: ${problem}`);
}

function unusable(message: string, first = ""): PalimpsestError {
  return new PalimpsestError("store-corrupt", message, {
    advice: `The store was not changed. ${first}Use another copy or an older backup, or export again.`,
  });
}
