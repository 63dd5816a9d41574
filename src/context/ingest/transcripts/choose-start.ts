/**
 * Where reading a transcript starts. A file that only grew is read from where reading stopped; for everything
 * else its lines are compared with those on record, and a file that was edited, cut or replaced becomes a new
 * version of the transcript that shares what is unchanged.
 */
import { open } from "node:fs/promises";
import type { ScopedStore, StoredTranscriptLine, Transcript } from "../../../store/store.ts";
import { sha256 } from "../../../text/hash.ts";
import { planResume } from "./plan-resume.ts";
import { readLines } from "./read-lines.ts";
import { storedLines } from "./stored-lines.ts";

export interface FileState {
  readonly path: string;
  readonly size: number;
  readonly modifiedAtMs: number;
}

export interface Start {
  /** `unchanged`: nothing to read. `continue`: same version. `version`: a new one. */
  readonly kind: "unchanged" | "continue" | "version";
  /** The version that is on record and goes on, or that the new one shares lines with. */
  readonly base: Transcript | null;
  readonly line: number;
  readonly offset: number;
  /** Lines the new version shares with its base. */
  readonly sharedLines: number;
  /** Lines of the base that the file no longer has; their messages leave the active path. */
  readonly dropped: readonly StoredTranscriptLine[];
  /**
   * The base's last line when it lacked its line feed. It is read again: unless it is the same still, its message
   * leaves the active path.
   */
  readonly unfinished: StoredTranscriptLine | null;
  /** The file was cut short, and nothing else. */
  readonly isCut: boolean;
  /** First lines of the file that are the last lines of the base: messages that are on record. */
  readonly overlap: readonly StoredTranscriptLine[];
}

const FRESH: Start = {
  kind: "version",
  base: null,
  line: 0,
  offset: 0,
  sharedLines: 0,
  dropped: [],
  unfinished: null,
  isCut: false,
  overlap: [],
};

export async function chooseStart(
  store: ScopedStore,
  versions: readonly Transcript[],
  file: FileState,
  signal: AbortSignal | undefined,
): Promise<Start> {
  const base = versions.findLast((version) => version.path === file.path) ?? versions.at(-1);
  if (base === undefined) return FRESH;
  const isSamePath = base.path === file.path;
  if (isSamePath && isUntouched(base, file)) return { ...FRESH, kind: "unchanged", base };
  const unfinished = await unfinishedLine(store, base);
  if (isSamePath && file.size > base.size && (await endsWithKnownLine(base, file)))
    return { ...FRESH, kind: "continue", base, unfinished, line: lineAtOffset(base), offset: base.offset };
  return compare(store, versions, base, unfinished, file, signal);
}

async function unfinishedLine(store: ScopedStore, base: Transcript): Promise<StoredTranscriptLine | null> {
  if (base.offset === base.size) return null;
  const query = { transcript: base.number, from: base.lineCount - 1, withoutContent: true };
  return (await store.transcriptLines(base.conversation, query)).rows[0] ?? null;
}

function isUntouched(base: Transcript, file: FileState): boolean {
  return base.size === file.size && base.modifiedAtMs === file.modifiedAtMs;
}

/** Number of the line that starts at the offset: a last line without its line feed is read again. */
function lineAtOffset(base: Transcript): number {
  return base.offset < base.size ? base.lineCount - 1 : base.lineCount;
}

/** Whether the last complete line that was read still stands where it stood. */
async function endsWithKnownLine(base: Transcript, file: FileState): Promise<boolean> {
  if (base.offset === 0 || base.lastLineHash === null) return false;
  const handle = await open(file.path, "r");
  try {
    const length = base.lastLineBytes + 1;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, base.offset - length);
    const isLine = bytesRead === length && buffer[length - 1] === 0x0a;
    return isLine && sha256(buffer.subarray(0, length - 1)) === base.lastLineHash;
  } finally {
    await handle.close();
  }
}

async function compare(
  store: ScopedStore,
  versions: readonly Transcript[],
  base: Transcript,
  unfinished: StoredTranscriptLine | null,
  file: FileState,
  signal: AbortSignal | undefined,
): Promise<Start> {
  const stored: StoredTranscriptLine[] = [];
  const upTo = lineAtOffset(base);
  for await (const line of storedLines(store, versions, base, { upTo })) stored.push(line);
  const now = await hashLines(file.path, signal);
  const plan = planResume(
    stored.map((line) => line.hash),
    now.hashes,
  );
  const at = (line: number) => ({ line, offset: now.offsets[line] ?? now.end });
  const isSamePath = base.path === file.path;
  switch (plan.kind) {
    case "same":
    case "grown":
      // What stood behind the last line feed is gone, and nothing came in its place.
      if (unfinished !== null && plan.kind === "same" && !now.isUnfinished)
        return { ...FRESH, base, unfinished, sharedLines: stored.length, isCut: true, ...at(stored.length) };
      return isSamePath
        ? { ...FRESH, kind: "continue", base, unfinished, ...at(stored.length) }
        : { ...FRESH, base, unfinished, sharedLines: stored.length, ...at(stored.length) };
    case "truncated":
      return {
        ...FRESH,
        base,
        sharedLines: now.hashes.length,
        dropped: stored.slice(now.hashes.length),
        unfinished,
        isCut: true,
        ...at(now.hashes.length),
      };
    case "edited":
      return {
        ...FRESH,
        base,
        sharedLines: plan.sharedLines,
        dropped: stored.slice(plan.sharedLines),
        unfinished,
        ...at(plan.sharedLines),
      };
    case "rotated":
      return { ...FRESH, base, overlap: overlapOf(stored, unfinished, now.hashes) };
  }
}

/** In a file that was rotated away nothing changes any more: its last line counts as it stands. */
function overlapOf(
  stored: readonly StoredTranscriptLine[],
  unfinished: StoredTranscriptLine | null,
  now: readonly string[],
): StoredTranscriptLine[] {
  const lines = unfinished?.kind === "message" ? [...stored, unfinished] : stored;
  const plan = planResume(
    lines.map((line) => line.hash),
    now,
  );
  return plan.kind === "rotated" && plan.overlap > 0 ? lines.slice(-plan.overlap) : [];
}

/** The hash and the place of every complete line, where they end, and whether something follows. */
async function hashLines(path: string, signal: AbortSignal | undefined) {
  const hashes: string[] = [];
  const offsets: number[] = [];
  let end = 0;
  for await (const line of readLines(path, signal === undefined ? {} : { signal })) {
    if (!line.terminated) return { hashes, offsets, end, isUnfinished: true };
    hashes.push(sha256(line.bytes));
    offsets.push(line.offset);
    end = line.offset + line.bytes.byteLength + 1;
  }
  return { hashes, offsets, end, isUnfinished: false };
}
