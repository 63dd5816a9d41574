/** The input of a search through one file, and its progress. */
import type { StoredFile } from "../../../store/file-store.ts";
import type { FileHit } from "./file-hit.ts";
import type { FileLines } from "./file-lines.ts";
import type { LineFinder } from "./line-finder.ts";
import type { FilePlace } from "./line-part.ts";

export interface FileLook {
  readonly file: StoredFile;
  readonly lines: FileLines;
  readonly finder: LineFinder;
  readonly found: FoundSoFar;
  readonly snippetLength: number;
  /** Maximum bytes of a line that is a single hit. */
  readonly longest: number;
  readonly signal: AbortSignal | undefined;
}

export interface FoundSoFar {
  /** Adds to the number of bytes searched. */
  count(bytes: number): void;
  /** Whether the result ends here. */
  isFull(): boolean;
  /** Whether there was room for the hit. */
  takes(hit: FileHit): boolean;
}

/** The progress. Everything before the position is done; null means the whole file. */
export interface Reached {
  readonly place: FilePlace | null;
  /** Whether the result ends there. */
  readonly isStopped: boolean;
}
