/** What is found in a file, and what to read to see it among what is around it. */
import type { StoredFile } from "../../../store/file-store.ts";
import type { FileRange } from "../../files/read-file.ts";
import type { Snippet } from "../snippet.ts";

export interface FileHit {
  readonly file: StoredFile;
  /** Where the line begins; in a long line, where the match begins. */
  readonly byte: number;
  /** The line that the byte stands in, from 1. */
  readonly line: number;
  readonly snippet: Snippet;
  /** What to read to see it among what is around it. */
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
