/** Verifies a backup by reading it: every row is readable and matches the digests, counts and checksum. */
import { z } from "zod";
import { PalimpsestError } from "../../errors.ts";
import {
  type ArchiveEnd,
  type ArchiveReport,
  emptyReport,
  readArchive,
  requireArchive,
  withoutKind,
} from "../../store/archive.ts";
import { ArchiveCheck } from "../../store/archive-check.ts";
import { andList } from "../../text/and-list.ts";
import { counted } from "../../text/counted.ts";
import type { Use } from "../operation.ts";

export const checkedSchema = z.strictObject({
  messages: z
    .number()
    .int()
    .describe("Number of messages whose content and position in the chain match their hashes."),
  summaries: z.number().int().describe("Number of summaries whose text matches its hash."),
  files: z.number().int().describe("Number of file contents that match their hashes."),
  memories: z.number().int().describe("Number of memories that were read."),
  rows: z.number().int().describe("Number of rows of any kind that were read."),
});
type Checked = z.infer<typeof checkedSchema>;

/** `written`: the report of the write, which the content must match. */
export async function checkBackup(
  file: string,
  { signal, onProgress }: Use,
  written?: ArchiveReport,
): Promise<ArchiveReport & { readonly checked: Checked }> {
  await requireArchive(file);
  const report = emptyReport(file);
  const check = new ArchiveCheck();
  let end: ArchiveEnd = { rows: 0, bytes: 0, sha256: "" };
  for await (const row of readArchive(file, (found) => (end = found))) {
    if (signal?.aborted === true) throw new PalimpsestError("cancelled", "the check was cancelled");
    check.take(row);
    report.rows++;
    if (row.row === "conversation") report.conversations++;
    if (row.row === "message") report.messages++;
    if (row.row === "damage") report.damages.push(withoutKind(row));
    if (report.rows % 1000 === 0) onProgress?.({ done: report.rows, unit: "rows" });
  }
  report.damages.push(...check.end());
  requireSame(file, end, written);
  return { ...report, bytes: end.bytes, sha256: end.sha256, checked: { ...check.counts, rows: report.rows } };
}

function requireSame(file: string, end: ArchiveEnd, written: ArchiveReport | undefined): void {
  if (written === undefined || (written.sha256 === end.sha256 && written.rows === end.rows)) return;
  throw new PalimpsestError("store-corrupt", `${file} differs from what was written`, {
    advice: "Create the backup again on another disk.",
  });
}

export function describeChecked({ messages, summaries, files, memories, rows }: Checked): string {
  const hashed = andList([
    counted(messages, "message"),
    counted(summaries, "summary", "summaries"),
    counted(files, "file"),
  ]);
  const read = `${counted(rows, "row")} (${counted(memories, "memory", "memories")})`;
  return `Verified ${read}: the checksum, the row count and the hashes of ${hashed} match.`;
}
