/**
 * Decides where reading a transcript starts. The part already read is hashed again, so that every change is detected,
 * and a file that only grew is read from where reading stopped. Otherwise its lines are compared with the stored ones,
 * and a file that was edited, cut or replaced becomes a new version of the transcript that shares unchanged lines.
 */
import { createHash, type Hash } from "node:crypto";
import type { TranscriptFormat } from "../../../message/hosts/transcript-format.ts";
import type { ScopedStore, StoredTranscriptLine, Transcript } from "../../../store/store.ts";
import { erasedEvents, hashesBesides } from "./erased-lines.ts";
import { LineMarks } from "./line-marks.ts";
import { findOverlap, planResume } from "./plan-resume.ts";
import { readLines, readRange } from "./read-lines.ts";
import { storedLines } from "./stored-lines.ts";

export interface FileState {
  readonly path: string;
  readonly size: number;
  readonly modifiedAtMs: number;
}

export interface Start {
  /** `unchanged`: nothing to read. `continue`: same version. `version`: a new one. */
  readonly kind: "unchanged" | "continue" | "version";
  /** The stored version that continues, or with which the new one shares lines. */
  readonly base: Transcript | null;
  readonly line: number;
  readonly offset: number;
  /** Bytes of the line before `offset`, without its line feed. */
  readonly lastLineBytes: number;
  /** Lines the new version shares with its base. */
  readonly sharedLines: number;
  /** Lines of the base that the file no longer contains; their messages leave the active path. */
  readonly dropped: readonly StoredTranscriptLine[];
  /**
   * The base's last line, if it had no line feed. It is read again: unless it is unchanged, its message
   * leaves the active path.
   */
  readonly unfinished: StoredTranscriptLine | null;
  /** The file was only cut short. */
  readonly isCut: boolean;
  /** First lines of the file that are the last lines of the base: their messages are already stored. */
  readonly overlap: readonly StoredTranscriptLine[];
  readonly erasedEvents: ReadonlySet<string>;
  /** Hash of the file up to `offset`. Null if part of it was erased: erased text could be guessed from the hash. */
  readonly hash: Hash | null;
}

/** Nothing is stored yet. */
export const FRESH: Omit<Start, "hash"> = {
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
  if (base === undefined) return { ...FRESH, hash: createHash("sha256") };
  const unfinished = await unfinishedLine(store, base);
  const hash = base.path === file.path ? await hashWhatWasRead(base, file, signal) : null;
  if (hash === null || !(await goesOnFrom(unfinished, base, file)))
    return compare(store, versions, base, unfinished, file, format, signal);
  const kind = file.size === base.size ? "unchanged" : "continue";
  return { ...FRESH, kind, base, unfinished, ...endOf(base), hash };
}

function endOf(base: Transcript): Pick<Start, "line" | "offset" | "lastLineBytes"> {
  return { line: lineAtOffset(base), offset: base.offset, lastLineBytes: base.lastLineBytes };
}

async function unfinishedLine(store: ScopedStore, base: Transcript): Promise<StoredTranscriptLine | null> {
  if (base.offset === base.size) return null;
  const query = { transcript: base.number, from: base.lineCount - 1, withoutContent: true };
  return (await store.transcriptLines(base.conversation, query)).rows[0] ?? null;
}

/** Number of the line at the offset: a last line without its line feed is read again. */
function lineAtOffset(base: Transcript): number {
  return base.offset < base.size ? base.lineCount - 1 : base.lineCount;
}

/** The hash of all complete stored lines, if the file still contains these bytes. */
async function hashWhatWasRead(
  base: Transcript,
  file: FileState,
  signal: AbortSignal | undefined,
): Promise<Hash | null> {
  if (base.readHash === null || file.size < base.offset) return null;
  const hash = await hashRange(file, 0, base.offset, signal);
  return hash.copy().digest("hex") === base.readHash ? hash : null;
}

async function hashRange(file: FileState, from: number, to: number, signal?: AbortSignal): Promise<Hash> {
  const hash = createHash("sha256");
  for await (const chunk of readRange(file.path, { from, to, signal })) hash.update(chunk);
  return hash;
}

/** Whether the file still has the content after the last line feed, as far as it is known: more may follow. */
async function goesOnFrom(
  unfinished: StoredTranscriptLine | null,
  { offset, size }: Transcript,
  file: FileState,
): Promise<boolean> {
  if (unfinished === null) return true;
  if (file.size < size) return false;
  return unfinished.hash === null || (await hashRange(file, offset, size)).digest("hex") === unfinished.hash;
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
  const now = await readMarks(file.path, marks, stored, signal);
  const fresh = { ...FRESH, erasedEvents: await erasedEvents(store, versions), hash: now.sharedHash };
  const isInPlace = isEndInPlace(base, stored.length, now);
  const plan = planResume(marks.ofStored(stored), now.marks, isInPlace);
  const at = (line: number) => placeOf(line, now);
  const isSamePath = base.path === file.path;
  switch (plan.kind) {
    case "same":
    case "grown":
      // The content after the last line feed was removed without a replacement.
      if (unfinished !== null && plan.kind === "same" && !now.isUnfinished)
        return { ...fresh, base, unfinished, sharedLines: stored.length, isCut: true, ...at(stored.length) };
      if (unfinished !== null && !(await goesOnFrom(unfinished, base, file)))
        return { ...fresh, base, dropped: [unfinished], sharedLines: stored.length, ...at(stored.length) };
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
      return {
        ...fresh,
        base,
        overlap: overlapOf(stored, unfinished, marks, now.marks),
        hash: createHash("sha256"),
      };
  }
}

function placeOf(line: number, now: FileMarks): Pick<Start, "line" | "offset" | "lastLineBytes"> {
  const offset = now.offsets[line] ?? now.end;
  return { line, offset, lastLineBytes: line === 0 ? 0 : offset - (now.offsets[line - 1] ?? 0) - 1 };
}

/** Whether the file has a line at the position of the last complete stored line. */
function isEndInPlace(base: Transcript, count: number, now: FileMarks): boolean {
  if ((now.offsets[count] ?? now.end) !== base.offset) return false;
  // Older versions that only share lines may lack the length of their last line.
  return base.lastLineBytes === 0 || now.offsets[count - 1] === base.offset - base.lastLineBytes - 1;
}

/** A rotated file no longer changes, so its last line counts even without a line feed. */
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
  /** The start of each complete line, the end of the last one, and whether more content follows. */
  readonly offsets: readonly number[];
  readonly end: number;
  readonly isUnfinished: boolean;
  /** Hash of the first stored lines; null if one of them was erased. */
  readonly sharedHash: Hash | null;
}

async function readMarks(
  path: string,
  lineMarks: LineMarks,
  stored: readonly StoredTranscriptLine[],
  signal: AbortSignal | undefined,
): Promise<FileMarks> {
  const marks: string[] = [];
  const offsets: number[] = [];
  let end = 0;
  let isShared = true;
  let sharedHash: Hash | null = createHash("sha256");
  for await (const { terminated, bytes, offset } of readLines(path, { signal })) {
    if (!terminated) return { marks, offsets, end, isUnfinished: true, sharedHash };
    const known = stored[marks.length];
    const mark = lineMarks.of(bytes);
    isShared &&= known !== undefined && (known.hash === null || known.hash === mark);
    if (isShared) sharedHash = known?.hash === null ? null : addLine(sharedHash, bytes);
    marks.push(mark);
    offsets.push(offset);
    end = offset + bytes.byteLength + 1;
  }
  return { marks, offsets, end, isUnfinished: false, sharedHash };
}

/** Adds a complete line to the hash. */
export function addLine(hash: Hash | null, bytes: Uint8Array): Hash | null {
  return hash?.update(bytes).update("\n") ?? null;
}
