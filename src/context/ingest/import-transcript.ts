/**
 * Imports every line of a host's transcript once. Interrupting is safe at any point; importing again resumes
 * where reading stopped, and a stored line is not stored twice.
 */
import { stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isPalimpsestError, PalimpsestError } from "../../errors.ts";
import type { DocumentFormat } from "../../message/hosts/documents/document-format.ts";
import { recogniseFormat } from "../../message/hosts/recognise.ts";
import type { TranscriptFormat, TranscriptSession } from "../../message/hosts/transcript-format.ts";
import type { ScopedStore, StoredConversation, Transcript } from "../../store/store.ts";
import { counted } from "../../text/counted.ts";
import { fileProblem } from "../../text/file-problem.ts";
import { storableName, withReplacements } from "../../text/utf8.ts";
import type { DocumentFormatName, MessageFormat } from "../../types.ts";
import { findOffPath, type OffPath } from "../read/off-path.ts";
import { IncomingCalls } from "./incoming-calls.ts";
import type { IngestDependencies } from "./ingest-dependencies.ts";
import { type SkipReason, skipReason } from "./skip-reason.ts";
import { BatchWriter, emptyTally, type Tally } from "./transcripts/batch-writer.ts";
import { chooseStart, type FileState, type Start } from "./transcripts/choose-start.ts";
import { eraseRepeats } from "./transcripts/erase-repeats.ts";
import { findConversation } from "./transcripts/find-conversation.ts";
import { findParent, NO_LINK } from "./transcripts/find-parent.ts";
import { LineImporter, type LineImporterOptions } from "./transcripts/import-lines.ts";
import { orderFrom } from "./transcripts/order-from.ts";
import { readLines } from "./transcripts/read-lines.ts";
import { readOpening } from "./transcripts/read-opening.ts";
import { recallLines } from "./transcripts/recall-lines.ts";
import { retryUnreadable } from "./transcripts/retry-unreadable.ts";

export interface ImportOptions {
  /**
   * The host writes the file in this process or next to it, and only appends. The next import with this option
   * reads only the new lines; one without it compares everything. Default false.
   */
  readonly follow?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: ImportProgress) => void;
}

interface ImportProgress {
  readonly path: string;
  readonly bytesRead: number;
  readonly bytesTotal: number;
  readonly imported: number;
}

export interface ImportReport {
  readonly path: string;
  readonly status: "imported" | "unchanged" | "skipped";
  readonly reason: SkipReason | null;
  readonly format: MessageFormat | DocumentFormatName;
  readonly formatLabel: string;
  readonly conversation: string | null;
  /** Whether the conversation is archived, which an import does not change. */
  readonly archived: boolean;
  readonly sessionId: string;
  /** How the file relates to what was already stored. `resumed`: an earlier import stopped before the end. */
  readonly file: "new" | "grown" | "resumed" | "edited" | "cut" | "replaced" | "unchanged";
  /** Lines read now, by kind. */
  readonly lines: number;
  readonly imported: number;
  /** Messages of the file that were already stored; for an unchanged file, all messages of its conversation. */
  readonly alreadyThere: number;
  readonly events: number;
  /** New summaries of the host. */
  readonly summaries: number;
  /** Parts of the session that could not be imported, as text for people. */
  readonly leftOut: readonly string[];
  readonly unreadable: readonly { readonly line: number; readonly problem: string }[];
  /** Messages of the conversation that are not on its active path; null if nothing was read now. */
  readonly offPath: OffPath | null;
}

/** How often the import is planned again when other processes read the same transcript first. */
const ATTEMPTS = 10;
const FIRST_PAUSE_MS = 20;

/** One report for each session in the file. A transcript contains one. */
export async function importTranscript(
  file: string,
  use: IngestDependencies,
  options: ImportOptions,
  followed: FollowedTranscripts,
  importDocument: ImportDocument,
): Promise<readonly ImportReport[]> {
  const grown = options.follow === true ? await followed.goOn(file, options) : undefined;
  if (grown !== undefined) return [grown];
  const tally = emptyTally();
  for (let attempt = 1; ; attempt++) {
    try {
      const seen = options.follow === true ? followed : null;
      return await importOnce(file, use, options, tally, seen, importDocument);
    } catch (error) {
      if (attempt === ATTEMPTS || !isPalimpsestError(error, "busy")) throw withWhatStays(error, file, tally);
    }
    await pause(FIRST_PAUSE_MS * 2 ** attempt, options.signal);
  }
}

/** Batches are stored one by one: an error in the middle keeps the earlier ones. */
function withWhatStays(error: unknown, file: string, { lines, imported }: Tally): unknown {
  if (!isPalimpsestError(error) || error.code === "cancelled" || lines === 0) return error;
  const kept = `Already stored: ${counted(lines, "line")} of ${file}, with ${counted(imported, "new message")}. Importing it again resumes there.`;
  return new PalimpsestError(error.code, error.message, {
    advice: error.advice === undefined ? kept : `${error.advice}\n${kept}`,
    isRetryable: error.retryable,
    cause: error,
  });
}

async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(milliseconds, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    throw new PalimpsestError("cancelled", "the import was cancelled", { cause: error });
  }
}

/** Reads the file from where the stored lines end. `tally` counts everything stored, including by earlier attempts. */
async function importOnce(
  file: string,
  use: IngestDependencies,
  options: ImportOptions,
  tally: Tally,
  followed: FollowedTranscripts | null,
  importDocument: ImportDocument,
): Promise<readonly ImportReport[]> {
  const state = await statFile(file);
  const recognised = await recognise(state.path, options);
  if (recognised.kind === "document") return importDocument(state, recognised.format, followed);
  if (recognised.kind === "store-export")
    throw new PalimpsestError("not-supported", `${file} is an export of a whole store, not a transcript`, {
      advice: "Load it with: lcm import, or engine.store.load().",
    });
  const { format, named } = recognised;
  const session = {
    ...named,
    sessionId: storableName(named.sessionId),
    title: named.title === null ? null : withReplacements(named.title),
  };
  const blank = blankReport(state, format, session.sessionId);
  const reason = skipReason(use.settings, { sessionId: session.sessionId, sessionKey: null });
  if (reason !== undefined) return [{ ...blank, status: "skipped", reason }];
  return [await importFile(state, format, session, use, options, blank, tally, followed)];
}

/** Releases the examined lines: one of them may be a whole document. */
async function recognise(path: string, options: ImportOptions) {
  const { lines, start } = await readOpening(path, signalOf(options));
  const recognised = recogniseFormat(lines, path, start);
  if (recognised.kind !== "transcript") return recognised;
  return { ...recognised, named: recognised.format.session(lines, path) };
}

async function importFile(
  file: FileState,
  format: TranscriptFormat,
  session: TranscriptSession,
  use: IngestDependencies,
  options: ImportOptions,
  blank: ImportReport,
  tally: Tally,
  followed: FollowedTranscripts | null,
): Promise<ImportReport> {
  const { conversation, address } = await findConversation(use.store, session.sessionId, file.path);
  const archived = (conversation?.archivedAt ?? null) !== null;
  const lineUse = { ...use, calls: new IncomingCalls(use.store, address, use.log) };
  const versions = await versionsOf(conversation, format, session, lineUse, tally);
  const start = await chooseStart(use.store, versions, file, format, options.signal);
  if (start.kind === "unchanged") {
    tally.alreadyThere = thereBefore(conversation?.messageCount ?? 0, tally);
    return { ...blank, ...tally, ...statusOf(tally), conversation: conversation?.id ?? null, archived };
  }
  const importer = new LineImporter(format, session, lineUse, start.erasedEvents);
  const recalled = await recallLines(importer, use.store, versions, start, conversation, format.tree);
  tally.alreadyThere = thereBefore(recalled.messages, tally);
  const writer = new BatchWriter({
    use,
    session,
    address,
    importer,
    file,
    format: format.name,
    start,
    number: versionNumber(start, versions),
    versions,
    tally,
    hostContext: await linkOf(session, conversation, use.store, options),
    // Ids already identify the messages.
    afterSeq: format.tree ? null : await orderFrom(use.store, versions, start, recalled, conversation),
  });
  await readInto(importer, writer, file, start, options, tally);
  const id = writer.conversation;
  if (id !== null) await eraseRepeats(use, id, writer.erasedTexts.splice(0));
  followed?.keep(file.path, {
    importer,
    writer,
    tally,
    use,
    report: { ...blank, conversation: id, archived },
  });
  const isUnchanged = start.kind === "continue" && start.base?.size === writer.bytesRead;
  return {
    ...blank,
    ...tally,
    status: isUnchanged ? "unchanged" : "imported",
    conversation: id,
    archived,
    file: isUnchanged ? "unchanged" : relationOf(start, file),
    offPath: isUnchanged || id === null ? null : await findOffPath(use.store, id),
  };
}

/**
 * The parent conversation. Looking an entry up in every conversation takes longer the more there are: it is done
 * once for a session that begins while its host runs, but not for each file of a large import.
 */
function linkOf(
  { parent = null }: TranscriptSession,
  known: StoredConversation | undefined,
  store: ScopedStore,
  { follow = false }: ImportOptions,
) {
  const isTold = parent !== null && (!("entryKey" in parent) || (follow && known === undefined));
  return isTold && (known?.parent ?? null) === null ? findParent(store, parent) : NO_LINK;
}

/** Imports a file that is not read line by line. */
export type ImportDocument = (
  file: FileState,
  format: DocumentFormat,
  followed: FollowedTranscripts | null,
) => Promise<readonly ImportReport[]>;

interface Followed {
  readonly importer: LineImporter;
  readonly writer: BatchWriter;
  readonly tally: Tally;
  readonly use: IngestDependencies;
  readonly report: ImportReport;
}

/** Most files that are followed: each keeps the shape of its lines in memory. */
const MOST_FOLLOWED = 4;

/** Transcripts that grow while their hosts run, with their import state. */
export class FollowedTranscripts {
  readonly #byPath = new Map<string, Followed>();
  readonly #seen = new Map<string, Map<string, string>>();

  /** The state of a database's sessions at the last import, by session id. */
  sessionsIn(file: string): Map<string, string> {
    const seen = this.#seen.get(file) ?? new Map<string, string>();
    this.#seen.set(file, seen);
    return seen;
  }

  keep(file: string, followed: Followed): void {
    this.#byPath.delete(file);
    this.#byPath.set(file, followed);
    const [oldest] = this.#byPath.keys();
    if (this.#byPath.size > MOST_FOLLOWED && oldest !== undefined) this.#byPath.delete(oldest);
  }

  /** Undefined if the file must be read as a whole: it is new here, was cut, or another writer changed its record. */
  async goOn(given: string, options: ImportOptions): Promise<ImportReport | undefined> {
    const file = await statFile(given);
    const followed = this.#byPath.get(file.path);
    // In case of an error, a partly processed file is read again.
    this.#byPath.delete(file.path);
    if (followed === undefined) return undefined;
    const { importer, writer, tally, use, report } = followed;
    const { line, offset, isAtLineEnd } = writer.end;
    if (!isAtLineEnd || file.size < offset) return undefined;
    Object.assign(tally, emptyTally());
    const unchanged = { ...report, status: "unchanged", file: "unchanged" } as const;
    try {
      if (file.size > offset) {
        const rest = { line, offset, overlap: [], unfinished: null, base: null };
        await readInto(importer, writer, file, rest, options, tally);
        const erased = writer.erasedTexts.splice(0);
        if (report.conversation !== null && erased.length > 0)
          await eraseRepeats(use, report.conversation, erased);
      }
    } catch (error) {
      if (isPalimpsestError(error, "busy")) return undefined;
      throw error;
    }
    this.keep(file.path, followed);
    return tally.lines === 0 ? unchanged : { ...report, ...tally, status: "imported", file: "grown" };
  }
}

/** Stored messages, except those that an earlier attempt of this import stored. */
function thereBefore(messages: number, { imported }: Tally): number {
  return Math.max(0, messages - imported);
}

/** The whole file is stored: by earlier imports, or by this one and another that overtook it. */
function statusOf({ lines }: Tally): Pick<ImportReport, "status" | "file"> {
  return lines === 0 ? { status: "unchanged", file: "unchanged" } : { status: "imported", file: "grown" };
}

/** The stored transcripts of the conversation, after a retry of lines that could not be read before. */
async function versionsOf(
  conversation: StoredConversation | undefined,
  format: TranscriptFormat,
  session: TranscriptSession,
  use: IngestDependencies & LineImporterOptions,
  tally: Tally,
): Promise<readonly Transcript[]> {
  if (conversation === undefined) return [];
  const versions = await use.store.transcripts(conversation.id);
  for (const version of versions)
    tally.imported += await retryUnreadable(version, versions, format, session, use);
  return use.store.transcripts(conversation.id);
}

/** The position to read from, and the stored lines before it. */
type ReadFrom = Pick<Start, "line" | "offset" | "overlap" | "unfinished" | "base">;

async function readInto(
  importer: LineImporter,
  writer: BatchWriter,
  file: FileState,
  start: ReadFrom,
  options: ImportOptions,
  tally: Tally,
): Promise<void> {
  let number = start.line;
  for await (const line of readLines(file.path, { from: start.offset, ...signalOf(options) })) {
    const known = start.overlap[number] ?? erasedEnd(start, number, line.bytes.byteLength);
    const read = importer.take(number, line.bytes, line.terminated, known);
    writer.took(number, line, read, known !== null && known.seq !== null);
    number++;
    if (!importer.isFull) continue;
    await writer.flush();
    options.onProgress?.(progressOf(file, writer, tally));
  }
  await writer.flush();
  options.onProgress?.(progressOf(file, writer, tally));
}

/**
 * The base's last line, if it was erased before it had its line feed: it is unchanged if it did not grow. With
 * an id the store recognises it; a longer line contains more than was erased, and is read.
 */
function erasedEnd({ line, unfinished, base }: ReadFrom, number: number, size: number) {
  if (base === null || unfinished === null) return null;
  if (unfinished.hash !== null || unfinished.entryKey !== null) return null;
  const isSame = number === line && number === unfinished.line && size === base.size - base.offset;
  return isSame ? unfinished : null;
}

function progressOf(file: FileState, writer: BatchWriter, { imported }: Tally): ImportProgress {
  return {
    path: file.path,
    bytesRead: writer.bytesRead,
    bytesTotal: Math.max(file.size, writer.bytesRead),
    imported,
  };
}

function versionNumber(start: Start, versions: readonly Transcript[]): number {
  if (start.kind === "continue" && start.base !== null) return start.base.number;
  return Math.max(0, ...versions.map((version) => version.number)) + 1;
}

function relationOf(start: Start, file: FileState): ImportReport["file"] {
  if (start.base === null) return "new";
  // The file was not written since reading began, but has more content.
  if (start.kind === "continue") return start.base.modifiedAtMs === file.modifiedAtMs ? "resumed" : "grown";
  if (start.sharedLines === 0) return "replaced";
  if (start.isCut) return "cut";
  return start.dropped.length === 0 ? "grown" : "edited";
}

/** The report of a session of which nothing was read yet. */
export function blankReport(
  file: FileState,
  { name, label }: TranscriptFormat | DocumentFormat,
  sessionId: string,
): ImportReport {
  return {
    path: file.path,
    status: "imported",
    reason: null,
    format: name,
    formatLabel: label,
    conversation: null,
    archived: false,
    sessionId,
    file: "unchanged",
    lines: 0,
    imported: 0,
    alreadyThere: 0,
    events: 0,
    summaries: 0,
    leftOut: [],
    unreadable: [],
    offPath: null,
  };
}

async function statFile(file: string): Promise<FileState> {
  const full = path.resolve(file);
  const stats = await stat(full).catch((error: unknown) => {
    throw new PalimpsestError("not-found", `${file} cannot be read: ${fileProblem(error)}`);
  });
  // A pipe or a device could block the reader forever.
  if (!stats.isFile())
    throw new PalimpsestError("invalid-input", `${full} is not a file`, {
      advice: "Use one transcript file, not a folder or a device.",
    });
  return { path: full, size: stats.size, modifiedAtMs: stats.mtimeMs };
}

function signalOf({ signal }: ImportOptions): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
