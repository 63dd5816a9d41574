/**
 * The lines of a file, byte for byte, in constant memory: only the line at hand is held, whatever the file's
 * size. A line ends at a line feed, which is not part of it; a carriage return is. The last line may lack its
 * line feed: it comes with `terminated: false`, because its writer may not have finished. All reads go through
 * one descriptor, so a file that is replaced meanwhile is still read to its own end.
 */
import { type FileHandle, open } from "node:fs/promises";
import { messageOf, PalimpsestError } from "../../../errors.ts";

export interface Line {
  /** Without the line feed. */
  readonly bytes: Uint8Array;
  /** Where the line starts in the file, in bytes. */
  readonly offset: number;
  readonly terminated: boolean;
}

export interface ReadLinesOptions {
  /** Byte offset to start from; it should be the start of a line. Default 0. */
  readonly from?: number;
  /** Bytes asked for in one read. Default 131,072. */
  readonly chunkBytes?: number;
  readonly signal?: AbortSignal;
}

const LINE_FEED = 0x0a;
const CHUNK_BYTES = 131_072;

export async function* readLines(path: string, options: ReadLinesOptions = {}): AsyncGenerator<Line> {
  const file = await openForReading(path);
  try {
    yield* linesOf(file, options);
  } finally {
    await file.close();
  }
}

async function* linesOf(file: FileHandle, options: ReadLinesOptions): AsyncGenerator<Line> {
  let offset = options.from ?? 0;
  let pieces: Uint8Array[] = [];
  for await (const chunk of chunksOf(file, options)) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      const bytes = joined([...pieces, chunk.subarray(start, end)]);
      yield { bytes, offset, terminated: true };
      offset += bytes.length + 1;
      start = end + 1;
      pieces = [];
    }
    // The chunk is read into again, so what is left of it must be copied.
    if (start < chunk.length) pieces.push(chunk.slice(start));
  }
  if (pieces.length > 0) yield { bytes: joined(pieces), offset, terminated: false };
}

/** Each chunk is valid until the next one is asked for. */
async function* chunksOf(file: FileHandle, options: ReadLinesOptions): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(options.chunkBytes ?? CHUNK_BYTES);
  let position = options.from ?? 0;
  for (;;) {
    if (options.signal?.aborted)
      throw new PalimpsestError("cancelled", "reading the transcript was cancelled");
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

/** One copy of each byte, however many pieces there are. */
function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((total, piece) => total + piece.length, 0));
  let end = 0;
  for (const piece of pieces) {
    bytes.set(piece, end);
    end += piece.length;
  }
  return bytes;
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
    advice: "Name one transcript file, not a folder or a device.",
  });
}

function openError(path: string, cause: unknown): PalimpsestError {
  const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
  if (isMissing) return new PalimpsestError("not-found", `there is no file ${path}`, { cause });
  return new PalimpsestError("invalid-input", `${path} cannot be read: ${messageOf(cause)}`, { cause });
}
