/**
 * Imports a file of whole sessions: a JSON document, an export, JSON lines with one session each, or the database of
 * a host. Each session becomes entries under the host's ids (`import-entries.ts`), so importing again stores only new
 * ones. A document is parsed as a whole in memory; JSON lines and databases are read session by session.
 */
import { readFile } from "node:fs/promises";
import { PalimpsestError } from "../../errors.ts";
import type {
  DocumentEntry,
  DocumentFormat,
  DocumentSession,
} from "../../message/hosts/documents/document-format.ts";
import { DOCUMENT_READERS, isDatabase } from "../../message/hosts/documents/index.ts";
import { openHostDatabase } from "../../store/open-store.ts";
import { jsonProblem } from "../../text/json-problem.ts";
import { isoTime } from "../../text/timestamps.ts";
import { decodeLeniently, storableName, withoutByteOrderMark, withReplacements } from "../../text/utf8.ts";
import type { HostContext } from "../../types.ts";
import { findOffPath } from "../read/off-path.ts";
import { compareWithSource } from "./compare-with-source.ts";
import { type EntriesReport, type EntryImporter, pathOf } from "./import-entries.ts";
import { blankReport, type ImportOptions, type ImportReport } from "./import-transcript.ts";
import type { IngestDependencies } from "./ingest-dependencies.ts";
import { skipReason } from "./skip-reason.ts";
import { takeSummaries } from "./take-summaries.ts";
import type { FileState } from "./transcripts/choose-start.ts";
import { findConversation } from "./transcripts/find-conversation.ts";
import { openForReading, readLines } from "./transcripts/read-lines.ts";
import { MAX_DOCUMENT_BYTES } from "./transcripts/read-opening.ts";

interface DocumentUse {
  readonly use: IngestDependencies;
  readonly entries: EntryImporter;
  readonly options: ImportOptions;
  /** Reject a file with several sessions. */
  readonly onlyOne: boolean;
  /** The state of a database's sessions at the last import; null imports all of them. */
  readonly seen: Map<string, string> | null;
}

/** How long an unfinished message waits to be imported while the host is followed. */
const UNFINISHED_MS = 10 * 60_000;

export async function importDocument(
  file: FileState,
  recognised: DocumentFormat,
  use: DocumentUse,
): Promise<readonly ImportReport[]> {
  const reports: ImportReport[] = [];
  const { format, values } = await contentOf(file, recognised, use);
  const sessions = format.sessions(values, file.path);
  for await (const session of use.onlyOne ? requireOne(sessions, file) : sessions) {
    if (use.options.signal?.aborted === true)
      throw new PalimpsestError("cancelled", "the import was cancelled");
    const report = await importSession(file, format, session, use);
    reports.push(report);
    const imported = reports.reduce((sum, { imported: count }) => sum + count, 0);
    use.options.onProgress?.({ path: file.path, bytesRead: file.size, bytesTotal: file.size, imported });
  }
  return reports;
}

async function* requireOne(
  sessions: AsyncIterable<DocumentSession>,
  { path }: FileState,
): AsyncGenerator<DocumentSession> {
  const found: DocumentSession[] = [];
  for await (const session of sessions) {
    found.push(session);
    if (found.length > 1)
      throw new PalimpsestError("invalid-input", `${path} contains several sessions`, {
        advice: "Import all of them with: lcm import, or engine.context.conversations.importAll().",
      });
  }
  yield* found;
}

async function importSession(
  file: FileState,
  format: DocumentFormat,
  session: DocumentSession,
  { use, entries: importer, options }: DocumentUse,
): Promise<ImportReport> {
  const sessionId = storableName(session.sessionId);
  const blank = blankReport(file, format, sessionId);
  const reason = skipReason(use.settings, { sessionId, sessionKey: null });
  if (reason !== undefined) return { ...blank, status: "skipped", reason };
  const source = `${format.name}:${sessionId}`;
  const { conversation } = await findConversation(use.store, sessionId, pathOf(source));
  const isKnown = (await use.store.transcriptsAt(pathOf(source))).length > 0;
  const entries = options.follow === true ? finished(session.entries, use.clock()) : session.entries;
  // A host may record a session before its first message. A conversation is named after its first messages.
  if (conversation === undefined && !entries.some((entry) => "message" in entry))
    return { ...blank, status: "unchanged" };
  const distinct = withDistinctIds(entries);
  const taken = await importer.import({
    conversation: conversation?.id ?? { sessionId },
    source,
    entries: distinct,
    title: session.title === null ? null : withReplacements(session.title),
    titleIsAutomatic: session.titleIsAutomatic,
    hostContext: withoutNulls(session.hostContext),
  });
  const made = await takeOver(session, {
    use,
    importer,
    source,
    taken,
    entries: distinct,
    isNew: conversation === undefined,
  });
  const isUnchanged = taken.status === "unchanged" && made.summaries === 0;
  return {
    ...blank,
    ...taken,
    ...made,
    status: isUnchanged ? "unchanged" : "imported",
    archived: (conversation?.archivedAt ?? null) !== null,
    file: isUnchanged ? "unchanged" : isKnown ? "grown" : "new",
    lines: taken.imported + taken.events,
    offPath:
      isUnchanged || taken.conversation === null ? null : await findOffPath(use.store, taken.conversation),
  };
}

function withoutNulls(context: Partial<HostContext>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(context).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
}

/** Without the message that the host is still writing: otherwise both half of it and the whole would be stored. */
function finished(entries: readonly DocumentEntry[], now: number): readonly DocumentEntry[] {
  return entries.filter((entry) => {
    if ("event" in entry || entry.isUnfinished !== true) return true;
    return now - Date.parse(String(entry.createdAt)) > UNFINISHED_MS;
  });
}

/** A repeated id in a session would replace the earlier entry. */
function withDistinctIds(entries: readonly DocumentEntry[]): DocumentEntry[] {
  const times = new Map<string, number>();
  return entries.map((entry) => {
    const before = times.get(entry.id) ?? 0;
    times.set(entry.id, before + 1);
    return before === 0 ? entry : { ...entry, id: `${entry.id}~${before + 1}` };
  });
}

interface TakeOver {
  readonly use: IngestDependencies;
  readonly importer: EntryImporter;
  readonly source: string;
  readonly taken: EntriesReport;
  readonly entries: readonly DocumentEntry[];
  readonly isNew: boolean;
}

/** Imports the host's summaries of a session. A summary that cannot be placed is stored as an event. */
async function takeOver(
  session: DocumentSession,
  { use, importer, source, taken, entries, isNew }: TakeOver,
): Promise<Pick<ImportReport, "summaries" | "leftOut">> {
  const { conversation } = taken;
  const { summaries = [], problems = [], isArchived = false } = session;
  if (conversation === null) return { summaries: 0, leftOut: problems };
  const { published, left } = await takeSummaries(conversation, session, use);
  const events = left.map(({ id }) => ({ id, event: summaries.find((one) => one.id === id)?.row ?? {} }));
  if (events.length > 0) await importer.import({ conversation, source, entries: events });
  const at = isoTime(use.clock());
  if (isArchived && isNew)
    await use.store.commit([{ kind: "update-conversation", id: conversation, archivedAt: at, at }]);
  const without = new Set(left.map(({ id }) => id));
  const compared = {
    conversation,
    source,
    entries,
    summaries: summaries.filter(({ id }) => !without.has(id)),
  };
  // Following a host must not read all of its sessions again each time.
  const differing = session.summaries === undefined ? [] : await compareWithSource(use.store, compared);
  return {
    summaries: published,
    leftOut: [...problems, ...left.map(({ id, problem }) => `${id} ${problem}`), ...differing],
  };
}

interface Content {
  readonly format: DocumentFormat;
  readonly values: AsyncIterable<unknown>;
}

async function contentOf(file: FileState, format: DocumentFormat, use: DocumentUse): Promise<Content> {
  if (!isDatabase(await firstBytes(file))) return { format, values: valuesOf(file, use) };
  const database = await openHostDatabase(file.path);
  const own = DOCUMENT_READERS.find(({ name }) => name === database.format) ?? format;
  return { format: own, values: inTurn(database.sessions(use.seen === null ? {} : { seen: use.seen })) };
}

async function* inTurn(values: Iterable<unknown>): AsyncGenerator<unknown> {
  yield* values;
}

/** A list yields its elements, whether it is the document or a line. */
async function* valuesOf(file: FileState, { options }: DocumentUse): AsyncGenerator<unknown> {
  for await (const value of jsonValues(file, options)) {
    if (Array.isArray(value)) yield* value;
    else yield value;
  }
}

async function firstBytes({ path }: FileState): Promise<Uint8Array> {
  const file = await openForReading(path);
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(16), 0, 16, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** JSON lines, or one document on any number of lines: the first non-blank line decides. */
async function* jsonValues(file: FileState, { signal }: ImportOptions): AsyncGenerator<unknown> {
  let number = 0;
  let isLines = false;
  for await (const line of readLines(file.path, { signal })) {
    number++;
    requireSize(line.bytes.byteLength, file);
    const value = parsed(line.bytes);
    if (value === BLANK) continue;
    if (value === undefined && !isLines) {
      yield await wholeDocument(file);
      return;
    }
    isLines = true;
    if (value !== undefined) yield value;
    // The last line may be incomplete.
    else if (line.terminated) throw brokenLine(file, number);
  }
}

const BLANK = Symbol("blank");

/** Releases the text, which may be as large as the file. */
function parsed(bytes: Uint8Array): unknown {
  const text = withoutByteOrderMark(decodeLeniently(bytes));
  try {
    return text.trim() === "" ? BLANK : JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function wholeDocument(file: FileState): Promise<unknown> {
  requireSize(file.size, file);
  try {
    return JSON.parse(withoutByteOrderMark(decodeLeniently(await readFile(file.path))));
  } catch (error) {
    throw new PalimpsestError("invalid-input", `${file.path} is not valid JSON: ${jsonProblem(error)}`, {
      advice: "Export it again. If its host is still writing it, import it afterwards.",
      cause: error,
    });
  }
}

function requireSize(bytes: number, { path }: FileState): void {
  if (bytes <= MAX_DOCUMENT_BYTES) return;
  const limit = `${MAX_DOCUMENT_BYTES / 1024 / 1024} MB`;
  throw new PalimpsestError("invalid-input", `${path} is a JSON document of more than ${limit}`, {
    advice: "Split it into one file per session, or into JSON lines with one session each.",
  });
}

function brokenLine({ path }: FileState, number: number): PalimpsestError {
  return new PalimpsestError("invalid-input", `line ${number} of ${path} is not JSON`, {
    advice: "Repair or remove that line and import the file again; sessions before it are imported.",
  });
}
