import path, { basename } from "node:path";
import { z } from "zod";
import type { ImportOptions, ImportReport } from "../../context/ingest/import-transcript.ts";
import { readOpening } from "../../context/ingest/transcripts/read-opening.ts";
import { findOffPath } from "../../context/read/off-path.ts";
import type { Engine } from "../../engine.ts";
import { isPalimpsestError, PalimpsestError } from "../../errors.ts";
import { recogniseFormat } from "../../message/hosts/recognise.ts";
import { isArchive, readArchive } from "../../store/archive.ts";
import type { ScopedStore } from "../../store/store.ts";
import { counted } from "../../text/counted.ts";
import type { Outcome } from "../command.ts";
import { defineOperation, type Use } from "../operation.ts";
import { type FoundFiles, findTranscripts } from "./find-transcripts.ts";
import { renderImport } from "./import-page.ts";
import { type FileReport, fileReport, type RefusedReport, totalsOf, totalsReport } from "./import-report.ts";

export type ImportStep =
  | { readonly kind: "found"; readonly found: FoundFiles }
  | {
      readonly kind: "reading";
      readonly path: string;
      readonly bytesRead: number;
      readonly bytesTotal: number;
      readonly imported: number;
    }
  | { readonly kind: "loading"; readonly path: string; readonly rows: number }
  | { readonly kind: "finished"; readonly report: FileReport }
  | { readonly kind: "indexing"; readonly indexed: number };

const place = z.string().min(1);

type Input = z.infer<typeof inputSchema>;
const inputSchema = z.strictObject({
  path: z
    .union([place, z.array(place).min(1)])
    .describe("Transcripts, exports of a whole store, or folders whose files are imported."),
});

export type ImportOutput = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  folder: z
    .string()
    .nullable()
    .describe("The folder that was searched or that contains all files; null if one file was named."),
  files: z.array(fileReport).describe("What happened to each file."),
  totals: totalsReport.describe("Totals over all files."),
});

export const importPath = defineOperation<Input, ImportOutput, ImportStep>({
  name: "import",
  summary:
    "Import transcripts of agents, or an export of a whole store. The format is detected; re-running resumes where it left off and adds nothing twice.",
  input: inputSchema,
  output: outputSchema,
  command: {
    positional: ["path"],
    flags: {
      path: {
        value: "path...",
        hint: "If one of several files cannot be read, the others are imported, and the exit code is 6.",
      },
    },
    outcome: outcomeOf,
    text: renderImport,
    stopped: (error, { again }, last) => explainStop(error, last, again()),
  },
  makesStore: true,
  whyNothing: async ({ path }) => whyNothingToImport(await findTranscripts(path)),
  run: async (engine, { path }, use) => {
    const found = await findTranscripts(path);
    use.onProgress?.({ kind: "found", found });
    const files: FileReport[] = [];
    const finish = (reports: readonly FileReport[]) => {
      files.push(...reports);
      for (const report of reports) use.onProgress?.({ kind: "finished", report });
    };
    finish(found.unreadable.map(({ path, error }) => refused(path, "invalid-input", error)));
    for (const file of found.files) {
      stopIfAborted(use.signal);
      const isAlone = found.folder === null;
      finish(await (isAlone ? importFile(engine, file, use) : importOrRefuse(engine, file, use)));
    }
    await indexForSearch(engine, use);
    return { folder: found.folder, files, totals: totalsOf(files) };
  },
});

/** Everything is stored at this point: after a cancellation, the first search continues the indexing. */
async function indexForSearch(engine: Engine, { signal, onProgress }: Use<ImportStep>): Promise<void> {
  try {
    await engine.context.index.build({
      signal,
      onProgress: ({ indexed }) => onProgress?.({ kind: "indexing", indexed }),
    });
  } catch (error) {
    if (!isPalimpsestError(error, "cancelled") && !isPalimpsestError(error, "busy")) throw error;
  }
}

function stopIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new PalimpsestError("cancelled", "the import was cancelled");
}

/** Errors of the file itself; any other error ends the import. */
const FILE_PROBLEMS = ["not-supported", "invalid-input", "not-found", "conflict"] as const;
const ARCHIVE_PROBLEMS = [...FILE_PROBLEMS, "store-corrupt", "store-newer"] as const;

/** A file of a folder that cannot be imported is reported, and the import continues. */
async function importOrRefuse(engine: Engine, path: string, use: Use<ImportStep>): Promise<FileReport[]> {
  // A file that cannot be unpacked is not a transcript.
  let isStore = true;
  try {
    isStore = await isArchive(path);
    return isStore ? [await loadArchive(engine, path, use)] : await importSessions(engine, path, use);
  } catch (error) {
    const problems = isStore ? ARCHIVE_PROBLEMS : FILE_PROBLEMS;
    const code = problems.find((candidate) => isPalimpsestError(error, candidate));
    if (code === undefined || !isPalimpsestError(error)) throw error;
    return [refused(path, code, error)];
  }
}

function refused(path: string, code: RefusedReport["code"], error: PalimpsestError): RefusedReport {
  return {
    kind: "refused",
    path,
    status: "refused",
    code,
    problem: error.message,
    advice: error.advice ?? null,
  };
}

async function importFile(engine: Engine, path: string, use: Use<ImportStep>): Promise<FileReport[]> {
  return (await isArchive(path)) ? [await loadArchive(engine, path, use)] : importSessions(engine, path, use);
}

async function loadArchive(
  engine: Engine,
  path: string,
  { onProgress, ...use }: Use<ImportStep>,
): Promise<FileReport> {
  const tell = ({ rows }: { rows: number }) => onProgress?.({ kind: "loading", path, rows });
  tell({ rows: 0 });
  const options = { replace: false, ...use, onProgress: tell };
  const { messages, ...loaded } = await engine.store.load(readArchive(path), options);
  return { kind: "store-export", path, ...loaded, imported: messages };
}

/** One report for each session in the file. */
async function importSessions(engine: Engine, path: string, use: Use<ImportStep>): Promise<FileReport[]> {
  const described: FileReport[] = [];
  for (const report of await engine.context.conversations.importAll(path, optionsOf(use)))
    described.push(await describeReport(engine, report));
  return described;
}

async function describeReport(engine: Engine, report: ImportReport): Promise<FileReport> {
  const { conversation } = report;
  if (conversation === null)
    return { kind: "transcript", ...report, title: null, offPath: { messages: 0, ranges: [] } };
  const { title } = await engine.context.conversations.get(conversation);
  const offPath = report.offPath ?? (await findOffPath(scopedStore(engine), conversation));
  return { kind: "transcript", ...report, title, offPath };
}

function scopedStore({ store, config: { tenant, agent } }: Engine): ScopedStore {
  return store.scoped({ tenant, agent });
}

function optionsOf({ signal, onProgress }: Use<ImportStep>): ImportOptions {
  return {
    signal,
    onProgress: (progress) => onProgress?.({ kind: "reading", ...progress }),
  };
}

/** A transcript is stored as it is read, a whole store at its end. */
function explainStop(error: PalimpsestError, last: ImportStep | undefined, command: string): PalimpsestError {
  if (error.code !== "cancelled") return withWayOn(error, last, command);
  const isWholeStore = last?.kind === "loading";
  const kept = isWholeStore
    ? `nothing of ${basename(last.path)} was stored`
    : "everything read so far is stored";
  return new PalimpsestError("cancelled", `the import was stopped; ${kept}`, {
    advice: `${isWholeStore ? "Start again" : "Resume"} with: ${command}`,
    cause: error,
  });
}

/** After a store error in the middle, earlier files are stored. */
function withWayOn(error: PalimpsestError, last: ImportStep | undefined, command: string): PalimpsestError {
  const isKept = last?.kind === "reading" || last?.kind === "finished";
  if (!isKept || error.advice === undefined) return error;
  return new PalimpsestError(error.code, error.message, {
    advice: `${error.advice}\nResume with: ${command}`,
    cause: error,
  });
}

/** A script notices files that should have been imported; other files of a folder, such as settings, are only listed. */
function outcomeOf({ files }: ImportOutput): Outcome | undefined {
  const refusals = files.filter((file) => file.kind === "refused");
  const failed = refusals.find(({ code }) => code !== "not-supported");
  if (refusals.length < files.length) return failed === undefined ? undefined : "found-problems";
  return failed?.code ?? "not-supported";
}

/** Checks files before a store is created for them: an import that accepts none of them leaves nothing behind. */
const MOST_NAMED = 5;

/** Null if any of them can be imported. */
async function whyNothingToImport({ folder, files }: FoundFiles): Promise<PalimpsestError | null> {
  const refusals: PalimpsestError[] = [];
  for (const file of files) {
    const refusal = await refusalOf(file);
    if (refusal === null) return null;
    refusals.push(refusal);
  }
  const [first] = refusals;
  return folder === null && first !== undefined ? first : ofAll(folder ?? "", refusals);
}

async function refusalOf(file: string): Promise<PalimpsestError | null> {
  try {
    if (await isArchive(file)) return null;
    const { lines, start } = await readOpening(file);
    recogniseFormat(lines, file, start);
    return null;
  } catch (error) {
    if (!isPalimpsestError(error)) throw error;
    return error;
  }
}

function ofAll(folder: string, refusals: readonly PalimpsestError[]): PalimpsestError {
  const named = refusals.slice(0, MOST_NAMED).map(({ message }) => message.replaceAll(folder + path.sep, ""));
  const rest = refusals.length - named.length;
  const none = refusals.length === 1 ? "the only file" : `none of the ${counted(refusals.length, "file")}`;
  return new PalimpsestError(
    "not-supported",
    `${none} in ${folder} can${refusals.length === 1 ? "not" : ""} be imported`,
    { advice: [...named, ...(rest > 0 ? [`and ${counted(rest, "more", "more")}`] : [])].join("\n") },
  );
}
