/**
 * Brings a host's transcript in: every line of it, once. Interrupting is safe at any point; importing again
 * goes on where reading stopped, and a line that is on record is not stored twice.
 */
import { stat } from "node:fs/promises";
import path from "node:path";
import { messageOf, PalimpsestError } from "../../errors.ts";
import type { StoredConversation, Transcript } from "../../store/store.ts";
import type { MessageFormat } from "../../types.ts";
import { type IngestDependencies, type SkipReason, skipReason } from "./commit-turn.ts";
import { BatchWriter } from "./transcripts/batch-writer.ts";
import { chooseStart, type FileState, type Start } from "./transcripts/choose-start.ts";
import { LineImporter } from "./transcripts/import-lines.ts";
import { orderFrom } from "./transcripts/order-from.ts";
import { readLines } from "./transcripts/read-lines.ts";
import { readOpening } from "./transcripts/read-opening.ts";
import { recallLines } from "./transcripts/recall-lines.ts";
import { recogniseFormat } from "./transcripts/recognise.ts";
import { retryUnreadable } from "./transcripts/retry-unreadable.ts";
import type { TranscriptFormat, TranscriptSession } from "./transcripts/transcript-format.ts";

export interface ImportOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ImportProgress) => void;
}

export interface ImportProgress {
  readonly path: string;
  readonly bytesRead: number;
  readonly bytesTotal: number;
  readonly imported: number;
}

export interface ImportReport {
  readonly path: string;
  readonly status: "imported" | "unchanged" | "skipped";
  readonly reason: SkipReason | null;
  readonly format: MessageFormat;
  readonly formatLabel: string;
  readonly conversation: string | null;
  readonly sessionId: string;
  /** How the file relates to what was on record. */
  readonly file: "new" | "grown" | "edited" | "cut" | "replaced" | "unchanged";
  /** Lines that were read now, and what they were. */
  readonly lines: number;
  readonly imported: number;
  readonly alreadyThere: number;
  readonly events: number;
  readonly unreadable: readonly { readonly line: number; readonly problem: string }[];
}

export async function importTranscript(
  file: string,
  use: IngestDependencies,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const state = await statFile(file);
  const opening = await readOpening(state.path, signalOf(options));
  const recognised = recogniseFormat(opening.lines, state.path, opening.start);
  if (recognised.kind === "store-export")
    throw new PalimpsestError("not-supported", `${file} is an export of a whole store, not a transcript`, {
      advice: "Load it with: lcm import, or engine.load().",
    });
  const { format } = recognised;
  const session = format.session(opening.lines, state.path);
  const blank = blankReport(state, format, session);
  const reason = skipReason(use.settings, { sessionId: session.sessionId, sessionKey: null });
  if (reason !== undefined) return { ...blank, status: "skipped", reason };
  return importFile(state, format, session, use, options, blank);
}

async function importFile(
  file: FileState,
  format: TranscriptFormat,
  session: TranscriptSession,
  use: IngestDependencies,
  options: ImportOptions,
  blank: ImportReport,
): Promise<ImportReport> {
  const conversation = await use.store.conversation({ sessionId: session.sessionId, sessionKey: null });
  const { versions, wonBack } = await versionsOf(conversation, format, use);
  const start = await chooseStart(use.store, versions, file, options.signal);
  if (start.kind === "unchanged")
    return { ...blank, status: "unchanged", imported: wonBack, conversation: conversation?.id ?? null };
  const importer = new LineImporter(format, use);
  const recalled = await recallLines(importer, use.store, versions, start, conversation, format.tree);
  const writer = new BatchWriter({
    use,
    session,
    importer,
    file,
    format: format.name,
    start,
    number: versionNumber(start, versions),
    // Ids say for themselves which message is which.
    afterSeq: format.tree ? null : await orderFrom(use.store, versions, start, recalled, conversation),
  });
  await readInto(importer, writer, file, start, options);
  const isUnchanged = start.kind === "continue" && start.base?.size === writer.bytesRead;
  return {
    ...blank,
    ...writer.tally,
    imported: writer.tally.imported + wonBack,
    status: isUnchanged ? "unchanged" : "imported",
    conversation: writer.conversation,
    file: isUnchanged ? "unchanged" : relationOf(start),
  };
}

/** What is on record of the conversation's transcripts, after lines that can be read by now were read. */
async function versionsOf(
  conversation: StoredConversation | undefined,
  format: TranscriptFormat,
  use: IngestDependencies,
): Promise<{ versions: readonly Transcript[]; wonBack: number }> {
  if (conversation === undefined) return { versions: [], wonBack: 0 };
  let wonBack = 0;
  for (const version of await use.store.transcripts(conversation.id))
    wonBack += await retryUnreadable(use.store, version, format, use);
  return { versions: await use.store.transcripts(conversation.id), wonBack };
}

async function readInto(
  importer: LineImporter,
  writer: BatchWriter,
  file: FileState,
  start: Start,
  options: ImportOptions,
): Promise<void> {
  let number = start.line;
  for await (const line of readLines(file.path, { from: start.offset, ...signalOf(options) })) {
    const known = start.overlap[number]?.seq ?? null;
    writer.took(number, line, importer.take(number, line.bytes, line.terminated, known), known !== null);
    number++;
    if (!importer.isFull) continue;
    await writer.flush();
    options.onProgress?.(progressOf(file, writer));
  }
  await writer.flush();
  options.onProgress?.(progressOf(file, writer));
}

function progressOf(file: FileState, writer: BatchWriter): ImportProgress {
  return {
    path: file.path,
    bytesRead: writer.bytesRead,
    bytesTotal: Math.max(file.size, writer.bytesRead),
    imported: writer.tally.imported,
  };
}

function versionNumber(start: Start, versions: readonly Transcript[]): number {
  if (start.kind === "continue" && start.base !== null) return start.base.number;
  return Math.max(0, ...versions.map((version) => version.number)) + 1;
}

function relationOf(start: Start): ImportReport["file"] {
  if (start.base === null) return "new";
  if (start.kind === "continue") return "grown";
  if (start.sharedLines === 0) return "replaced";
  if (start.isCut) return "cut";
  return start.dropped.length === 0 ? "grown" : "edited";
}

function blankReport(file: FileState, format: TranscriptFormat, session: TranscriptSession): ImportReport {
  return {
    path: file.path,
    status: "imported",
    reason: null,
    format: format.name,
    formatLabel: format.label,
    conversation: null,
    sessionId: session.sessionId,
    file: "unchanged",
    lines: 0,
    imported: 0,
    alreadyThere: 0,
    events: 0,
    unreadable: [],
  };
}

async function statFile(file: string): Promise<FileState> {
  const full = path.resolve(file);
  try {
    const stats = await stat(full);
    return { path: full, size: stats.size, modifiedAtMs: stats.mtimeMs };
  } catch (error) {
    throw new PalimpsestError("not-found", `${file} cannot be read: ${messageOf(error)}`);
  }
}

function signalOf({ signal }: ImportOptions): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
