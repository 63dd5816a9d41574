/** Checks whether a transcript is unchanged since a write was planned. */
import { isDeepStrictEqual } from "node:util";
import { PalimpsestError } from "../../errors.ts";
import type { Transcript, TranscriptBasis, TranscriptProgress } from "../store.ts";

/** The basis of a write that continues, or shares lines with, the version of this number. */
export function basisOf(
  transcripts: readonly Omit<Transcript, "conversation" | "updatedAt">[],
  base: number | null,
): TranscriptBasis {
  const version = transcripts.find(({ number }) => number === base);
  return {
    newest: Math.max(0, ...transcripts.map(({ number }) => number)),
    base: version === undefined ? null : progressOf(version),
  };
}

/** For a store, inside the transaction of the write. */
export function requireBasis(planned: TranscriptBasis, found: TranscriptBasis, conversation: string): void {
  if (isDeepStrictEqual(planned, found)) return;
  throw new PalimpsestError(
    "busy",
    `another process imported more of a transcript of ${conversation} meanwhile`,
    {
      advice:
        "Try again: the import resumes after the lines that the other process stored. Nothing was written.",
    },
  );
}

function progressOf(version: TranscriptProgress): TranscriptProgress {
  const { number, lineCount, offset, size, readHash, readerVersion } = version;
  return { number, lineCount, offset, size, readHash, readerVersion };
}
