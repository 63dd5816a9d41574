/** What looking through one file needs, and how far it came. */
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
  /** Bytes of a line that is one hit at most. */
  readonly longest: number;
  readonly signal: AbortSignal | undefined;
}

export interface FoundSoFar {
  /** Bytes that were looked through. */
  count(bytes: number): void;
  /** Whether the answer ends here. */
  isFull(): boolean;
  /** Whether there was room for it. */
  takes(hit: FileHit): boolean;
}

/** How far it came. Everything before the place is done; where it is null, the whole file. */
export interface Reached {
  readonly place: FilePlace | null;
  /** Whether the answer ends there. */
  readonly isStopped: boolean;
}
