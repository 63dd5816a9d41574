import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { Engine } from "../../engine.ts";
import { isPalimpsestError, PalimpsestError } from "../../errors.ts";
import {
  EXCHANGE_FORMATS,
  type ExchangeFormat,
  FORMAT_LOSSES,
} from "../../memory/exchange/exchange-formats.ts";
import { textLines } from "../../memory/exchange/text-lines.ts";
import { count, counted } from "../../text/counted.ts";
import { bar } from "../../text/terminal/table.ts";
import { defineOperation, type Use } from "../operation.ts";
import { findFiles } from "../store/find-transcripts.ts";
import { requireReadable } from "../store/require-readable.ts";
import { renderImported, UNKNOWN_FORMAT } from "./memory-import-page.ts";
import { toStats } from "./memory-stats.ts";

const place = z.string().min(1);
const number = z.int();

const counts = {
  created: number.describe("Memories that were stored."),
  superseded: number.describe("Memories that were stored and replaced an older value of the same fact."),
  alreadyThere: number.describe("Memories that were already in the store and did not change."),
};

export type MemoryFileReport = z.infer<typeof fileSchema>;
const fileSchema = z.strictObject({
  path: z.string().describe("The file."),
  format: z.enum(EXCHANGE_FORMATS).nullable().describe("Format of the file; null if it is unknown."),
  ...counts,
  passedOver: z
    .array(
      z.strictObject({
        line: number.describe("Line number."),
        row: number
          .exactOptional()
          .describe("Position within the line, if the line contains several memories."),
        reason: z.string().describe("Why."),
      }),
    )
    .readonly()
    .describe("Entries that were skipped."),
  changes: z.array(z.string()).readonly().describe("Values that were corrected or left out of memories."),
  losses: z.array(z.string()).readonly().describe("Fields that this format does not contain."),
});

export type MemoryImportInput = z.infer<typeof inputSchema>;
const inputSchema = z.strictObject({
  path: z.union([place, z.array(place).min(1)]).describe("Files, or folders whose files are imported."),
  format: z.enum(EXCHANGE_FORMATS).exactOptional().describe("Format of the files. Default: detected."),
  scope: place
    .exactOptional()
    .describe("Scope for all memories. Default: the scope in the file, else this agent's own."),
  dryRun: z.boolean().exactOptional().describe("Only report what would be done. Default false."),
});

/** The progress of a file. */
export interface MemoryImportStep {
  readonly file: string;
  readonly done: number;
  readonly total: number;
}

export type ImportedMemories = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  dryRun: z.boolean().describe("Whether this is only a preview and nothing was stored."),
  files: z.array(fileSchema).readonly().describe("What happened to each file."),
  totals: z
    .strictObject({ ...counts, passedOver: number.describe("Entries that were skipped.") })
    .describe("Totals over all files."),
  withoutVectors: number.describe(
    "Memories in the store without an embedding. They are found by words only until `lcm memory reembed` is run.",
  ),
});

export const importMemories = defineOperation<
  MemoryImportInput,
  z.infer<typeof outputSchema>,
  MemoryImportStep
>({
  name: "memory-import",
  summary:
    "Import memories: exports of this program, memory-lancedb-pro, mem0, MEMORY.md folders. Re-running changes nothing.",
  input: inputSchema,
  output: outputSchema,
  command: {
    positional: ["path"],
    flags: { path: { value: "path..." } },
    examples: [
      ["lcm memory import memories.jsonl", "an export of this program; re-running changes nothing"],
      [
        "lcm memory import memory-backup.json --dry-run",
        "a backup of memory-lancedb-pro: preview the import",
      ],
      ["lcm memory import ~/.openclaw/workspace --scope project:web", "MEMORY.md and memory/2026-11-16.md"],
      ["lcm memory import mem0.json --format mem0"],
    ],
    progress: ({ file, done, total }) =>
      `${bar(done, total)} ${path.basename(file)} ${count(done)} of ${counted(total, "memory", "memories")}`,
    outcome: ({ totals: { created, superseded, alreadyThere, passedOver } }) =>
      created + superseded + alreadyThere === 0 && passedOver > 0 ? "not-supported" : undefined,
    text: renderImported,
    // Stored memories are kept, and a repeated import assigns the same ids.
    stopped: (error, { again }) =>
      error.code === "cancelled"
        ? new PalimpsestError("cancelled", "the import was stopped; memories imported so far are kept", {
            advice: `Resume with: ${again({ dryRun: undefined })}`,
            cause: error,
          })
        : error,
  },
  makesStore: true,
  whyNothing: whyNothingToImport,
  run: async (engine, input, use) => {
    const { folder, files, unreadable } = await find(input);
    const reports = unreadable.map(({ path, error }) => nothingOf(path, error.message));
    for (const file of files)
      reports.push(await importFile(engine, { file, isAlone: folder === null, input }, use));
    const { withoutVectors } = toStats(await engine.memory.maintenance.stats());
    return { dryRun: input.dryRun === true, files: reports, totals: totalsOf(reports), withoutVectors };
  },
});

/** Other Markdown files rarely contain memories, so they must be named explicitly. */
const FOUND_IN_FOLDERS = /^MEMORY\.md$|^\d{4}-\d{2}-\d{2}[\w.-]*\.md$|\.jsonl?$/i;

function find({ path: given }: MemoryImportInput) {
  return findFiles(given, {
    names: FOUND_IN_FOLDERS,
    nothing: "there is no MEMORY.md, no 2026-11-16.md and no .json or .jsonl file",
    advice: "Use a memory file, or a folder that contains MEMORY.md, such as ~/.openclaw/workspace.",
  });
}

/** Prevents a wrong file name from creating a store. */
async function whyNothingToImport(input: MemoryImportInput): Promise<PalimpsestError | null> {
  const { folder, files } = await find(input);
  const [only] = files;
  if (folder !== null || only === undefined) return null;
  return (await formatOf(only, input)) === null ? unknownForm(only) : null;
}

interface OneFile {
  readonly file: string;
  /** The file was named explicitly, and alone. */
  readonly isAlone: boolean;
  readonly input: MemoryImportInput;
}

async function importFile(
  { memory }: Engine,
  { file, isAlone, input }: OneFile,
  { signal, onProgress }: Use<MemoryImportStep>,
): Promise<MemoryFileReport> {
  const format = await formatOf(file, input).catch((error: unknown) => {
    if (isAlone || !isPalimpsestError(error)) throw error;
    return error;
  });
  if (format instanceof PalimpsestError) return nothingOf(file, format.message);
  if (format === null) {
    if (isAlone) throw unknownForm(file);
    return nothingOf(file, UNKNOWN_FORMAT);
  }
  const { readMemories } = await import("../../memory/exchange/read-memories.ts");
  const items = readMemories(format, textLines(createReadStream(file)), { name: file });
  const { dryRun: _, ...report } = await memory.exchange.import(items, {
    ...(input.scope === undefined ? {} : { scope: input.scope }),
    dryRun: input.dryRun === true,
    signal,
    onProgress: (step) => onProgress?.({ file, ...step }),
  });
  return { path: file, format, ...report, losses: FORMAT_LOSSES[format] };
}

function nothingOf(path: string, reason: string): MemoryFileReport {
  const none = { created: 0, superseded: 0, alreadyThere: 0, changes: [], losses: [] };
  return { path, format: null, ...none, passedOver: [{ line: 1, reason }] };
}

const HEAD_BYTES = 16_384;

async function formatOf(file: string, { format }: MemoryImportInput): Promise<ExchangeFormat | null> {
  await requireReadable(file);
  if (format !== undefined) return format;
  const { recogniseFormat } = await import("../../memory/exchange/recognise-format.ts");
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(HEAD_BYTES), position: 0 });
    return recogniseFormat(path.basename(file), buffer.toString("utf8", 0, bytesRead));
  } finally {
    await handle.close();
  }
}

function unknownForm(file: string): PalimpsestError {
  return new PalimpsestError("not-supported", `${file} is not in a known memory format`, {
    advice: `Set the format with \`format\`: ${EXCHANGE_FORMATS.join(", ")}. Import transcripts with: lcm import`,
  });
}

function totalsOf(files: readonly MemoryFileReport[]) {
  const sum = (of: (file: MemoryFileReport) => number) => files.reduce((all, file) => all + of(file), 0);
  return {
    created: sum(({ created }) => created),
    superseded: sum(({ superseded }) => superseded),
    alreadyThere: sum(({ alreadyThere }) => alreadyThere),
    passedOver: sum(({ passedOver }) => passedOver.length),
  };
}
