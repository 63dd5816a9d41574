/** A hit in a file, with the range to read for its surroundings. */
import type { StoredFile } from "../../../store/file-store.ts";
import type { FileRange } from "../../files/read-file.ts";
import type { Snippet } from "../snippet.ts";

export interface FileHit {
  readonly file: StoredFile;
  /** The start of the line; in a long line, the start of the match. */
  readonly byte: number;
  /** The line that contains the byte, from 1. */
  readonly line: number;
  readonly snippet: Snippet;
  /** The range to read to see its surroundings. */
  readonly around: FileRange;
}

const LINES_AROUND = 20;
const BYTES_AROUND = 2_000;

export function aroundLine(line: number): FileRange {
  return { startLine: Math.max(1, line - LINES_AROUND), endLine: line + LINES_AROUND };
}

export function aroundBytes(file: StoredFile, start: number, end: number): FileRange {
  return {
    startByte: Math.max(0, start - BYTES_AROUND),
    endByte: Math.min(file.bytes, end + BYTES_AROUND),
  };
}
