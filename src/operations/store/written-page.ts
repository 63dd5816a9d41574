/** The report about a written file, for people. */
import { PalimpsestError } from "../../errors.ts";
import type { DumpDamage } from "../../store/store.ts";
import { bytes, count, counted } from "../../text/counted.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import { list } from "../../text/terminal/table.ts";
import type { ExportOutput } from "./export.ts";

/** `-` is standard output, which JSON also uses. */
export function refuseTwoOutputs(
  { file }: { readonly file?: string | undefined },
  { json }: { readonly json: boolean },
): PalimpsestError | undefined {
  if (file !== "-" || !json) return undefined;
  return new PalimpsestError("invalid-input", "--json and --output - both write to standard output", {
    advice: "Use --output with a file, or omit --json.",
  });
}

/** An export goes to standard output on request, or if the output is piped and no file is named. */
export function goesToOutput(file: string | undefined, isPiped: boolean): boolean {
  return file === undefined ? isPiped : file === "-";
}

export function wroteFile(written: { readonly file: string; readonly bytes: number }): string {
  return `Wrote ${escapeControls(written.file)} (${counted(written.bytes, "byte")}).`;
}

export function renderExport(output: ExportOutput): string {
  return [
    `Export: ${escapeControls(output.file)}`,
    `${counted(output.conversations, "conversation")}, ${counted(output.messages, "message")}, ${bytes(output.bytes)}.`,
    `Import it into another store with: lcm import ${escapeControls(output.file)} --data <folder> (or --database-url <url>)`,
    ...list("The store is damaged; these items are not in the export:", output.leftOut.map(describe)),
  ].join("\n");
}

export function renderHtmlExport(
  output: ExportOutput,
  { withoutToolResults = false }: { readonly withoutToolResults?: boolean },
): string {
  const content = withoutToolResults
    ? "all content except tool results"
    : "all content, including tool results";
  return [
    `${wroteFile(output)} Open it in a browser.`,
    `It contains ${counted(output.messages, "message")} with ${content}, including any secrets in them. Review it before you share it.`,
  ].join("\n");
}

function describe({ conversation, messages, fromSeq, problem }: DumpDamage): string {
  const place = conversation ?? "the memories or the audit log";
  const from = fromSeq === null ? "" : `, from message ${count(fromSeq)} of ${count(messages)} on`;
  const before =
    conversation === null || fromSeq === null || fromSeq === 1
      ? ""
      : `. Read the messages before it with: lcm read ${conversation} --to ${fromSeq - 1}`;
  return `${place}${from}: ${escapeControls(problem)}${before}`;
}
