/**
 * Where reading a transcript starts. A file that only grew is read from where reading stopped; for everything
 * else its lines are compared with those on record, and a file that was edited, cut or replaced becomes a new
 * version of the transcript that shares what is unchanged.
 */
import { open } from "node:fs/promises";
import type { TranscriptFormat } from "../../../message/hosts/transcript-format.ts";
import type { ScopedStore, StoredTranscriptLine, Transcript } from "../../../store/store.ts";
import { sha256 } from "../../../text/hash.ts";
import { erasedEvents, hashesBesides } from "./erased-lines.ts";
import { LineMarks } from "./line-marks.ts";
import { findOverlap, planResume } from "./plan-resume.ts";
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
  /** Bytes of the line before `offset`, without its line feed. */
  readonly lastLineBytes: number;
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
  readonly erasedEvents: ReadonlySet<string>;
}

const FRESH: Start = {
  kind: "version",
  base: null,
  line: 0,
  offset: 0,
  lastLineBytes: 0,
  sharedLines: 0,
  dropped: [],
  unfinished: null,
  isCut: false,
  overlap: [],
  erasedEvents: new Set(),
};

export async function chooseStart(
  store: ScopedStore,
  versions: readonly Transcript[],
  file: FileState,
  format: TranscriptFormat,
  signal: AbortSignal | undefined,
): Promise<Start> {
  const base = versions.findLast((version) => version.path === file.path) ?? versions.at(-1);
  if (base === undefined) return FRESH;
  const isSamePath = base.path === file.path;
  if (isSamePath && isUntouched(base, file)) return { ...FRESH, kind: "unchanged", base };
  const unfinished = await unfinishedLine(store, base);
  if (isSamePath && file.size > base.size && (await endsWithKnownLine(base, file)))
    return { ...FRESH, kind: "continue", base, unfinished, ...endOf(base) };
  return compare(store, versions, base, unfinished, file, format, signal);
}

function endOf(base: Transcript): Pick<Start, "line" | "offset" | "lastLineBytes"> {
  return { line: lineAtOffset(base), offset: base.offset, lastLineBytes: base.lastLineBytes };
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
  format: TranscriptFormat,
  signal: AbortSignal | undefined,
): Promise<Start> {
  const stored: StoredTranscriptLine[] = [];
  const upTo = lineAtOffset(base);
  for await (const line of storedLines(store, versions, base, { upTo })) stored.push(line);
  const onRecord = unfinished === null ? stored : [...stored, unfinished];
  const marks = new LineMarks(format, onRecord, await hashesBesides(store, versions, base, onRecord));
  const now = await readMarks(file.path, marks, signal);
  const fresh = { ...FRESH, erasedEvents: await erasedEvents(store, versions) };
  const isInPlace = isEndInPlace(base, stored.length, now);
  const plan = planResume(marks.ofStored(stored), now.marks, isInPlace);
  const at = (line: number) => placeOf(line, now);
  const isSamePath = base.path === file.path;
  switch (plan.kind) {
    case "same":
    case "grown":
      // What stood behind the last line feed is gone, and nothing came in its place.
      if (unfinished !== null && plan.kind === "same" && !now.isUnfinished)
        return { ...fresh, base, unfinished, sharedLines: stored.length, isCut: true, ...at(stored.length) };
      return isSamePath
        ? { ...fresh, kind: "continue", base, unfinished, ...at(stored.length) }
        : { ...fresh, base, unfinished, sharedLines: stored.length, ...at(stored.length) };
    case "truncated":
      return {
        ...fresh,
        base,
        sharedLines: now.marks.length,
        dropped: stored.slice(now.marks.length),
        unfinished,
        isCut: true,
        ...at(now.marks.length),
      };
    case "edited":
      return {
        ...fresh,
        base,
        sharedLines: plan.sharedLines,
        dropped: stored.slice(plan.sharedLines),
        unfinished,
        ...at(plan.sharedLines),
      };
    case "rotated":
      return { ...fresh, base, overlap: overlapOf(stored, unfinished, marks, now.marks) };
  }
}

function placeOf(line: number, now: FileMarks): Pick<Start, "line" | "offset" | "lastLineBytes"> {
  const offset = now.offsets[line] ?? now.end;
  return { line, offset, lastLineBytes: line === 0 ? 0 : offset - (now.offsets[line - 1] ?? 0) - 1 };
}

/** Whether the file has a line from where the last complete line on record began to where it ended. */
function isEndInPlace(base: Transcript, count: number, now: FileMarks): boolean {
  if ((now.offsets[count] ?? now.end) !== base.offset) return false;
  // Versions that only share lines did not always note how long the last of them is.
  return base.lastLineBytes === 0 || now.offsets[count - 1] === base.offset - base.lastLineBytes - 1;
}

/** In a file that was rotated away nothing changes any more: its last line counts as it stands. */
function overlapOf(
  stored: readonly StoredTranscriptLine[],
  unfinished: StoredTranscriptLine | null,
  marks: LineMarks,
  now: readonly string[],
): StoredTranscriptLine[] {
  const lines = unfinished?.kind === "message" ? [...stored, unfinished] : stored;
  return lines.slice(lines.length - findOverlap(marks.ofStored(lines), now));
}

interface FileMarks {
  readonly marks: readonly string[];
  /** Where each complete line begins, where the last one ends, and whether something follows. */
  readonly offsets: readonly number[];
  readonly end: number;
  readonly isUnfinished: boolean;
}

async function readMarks(
  path: string,
  lineMarks: LineMarks,
  signal: AbortSignal | undefined,
): Promise<FileMarks> {
  const marks: string[] = [];
  const offsets: number[] = [];
  let end = 0;
  for await (const line of readLines(path, signal === undefined ? {} : { signal })) {
    if (!line.terminated) return { marks, offsets, end, isUnfinished: true };
    marks.push(lineMarks.of(line.bytes));
    offsets.push(line.offset);
    end = line.offset + line.bytes.byteLength + 1;
  }
  return { marks, offsets, end, isUnfinished: false };
}
