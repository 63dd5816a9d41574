/**
 * The lines of a file, byte for byte, in constant memory: only the current line is held, whatever the file's
 * size. A line ends at a line feed, which is not part of it; a carriage return is. A last line without
 * a line feed is returned with `terminated: false`, because its writer may not have finished. All reads use
 * one descriptor, so a file that is replaced meanwhile is still read to its own end.
 */
import { type FileHandle, open } from "node:fs/promises";
import { PalimpsestError } from "../../../errors.ts";
import { fileErrorCode, fileProblem } from "../../../text/file-problem.ts";
import { type Line, splitLines } from "../../../text/split-lines.ts";

export interface ReadLinesOptions {
  /** Byte offset to start from; it should be the start of a line. Default 0. */
  readonly from?: number;
  /** Byte offset to stop at. Default: the end of the file. */
  readonly to?: number;
  /** Bytes of one read. Default 131,072. */
  readonly chunkBytes?: number;
  readonly signal?: AbortSignal | undefined;
}

const CHUNK_BYTES = 131_072;

export function readLines(path: string, options: ReadLinesOptions = {}): AsyncGenerator<Line> {
  return splitLines(readRange(path, options), options.from);
}

/** Yields the raw bytes. Each chunk is valid until the next one is requested. */
export async function* readRange(path: string, options: ReadLinesOptions): AsyncGenerator<Uint8Array> {
  const file = await openForReading(path);
  try {
    yield* chunksOf(file, options);
  } finally {
    await file.close();
  }
}

async function* chunksOf(file: FileHandle, options: ReadLinesOptions): AsyncGenerator<Uint8Array> {
  const { to = Number.POSITIVE_INFINITY, chunkBytes = CHUNK_BYTES } = options;
  const buffer = new Uint8Array(chunkBytes);
  let position = options.from ?? 0;
  while (position < to) {
    if (options.signal?.aborted)
      throw new PalimpsestError("cancelled", "reading the transcript was cancelled");
    const { bytesRead } = await file.read(buffer, 0, Math.min(chunkBytes, to - position), position);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

export async function openForReading(path: string): Promise<FileHandle> {
  try {
    const file = await open(path, "r");
    if ((await file.stat()).isFile()) return file;
    await file.close();
  } catch (error) {
    throw openError(path, error);
  }
  throw new PalimpsestError("invalid-input", `${path} is not a file`, {
    advice: "Use one transcript file, not a folder or a device.",
  });
}

function openError(path: string, cause: unknown): PalimpsestError {
  if (fileErrorCode(cause) === "ENOENT")
    return new PalimpsestError("not-found", `there is no file ${path}`, { cause });
  return new PalimpsestError("invalid-input", `${path} cannot be read: ${fileProblem(cause)}`, { cause });
}
