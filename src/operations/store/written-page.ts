/** What was written to a file, for people. */
import { PalimpsestError } from "../../errors.ts";
import type { DumpDamage } from "../../store/store.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import { bytes, count, counted } from "../../text/terminal/amounts.ts";
import { list } from "../../text/terminal/list.ts";
import type { ExportOutput } from "./export.ts";

/** `-` is standard output, and so is where JSON goes. */
export function refuseTwoOutputs(
  { file }: { readonly file?: string | undefined },
  { json }: { readonly json: boolean },
): PalimpsestError | undefined {
  if (file !== "-" || !json) return undefined;
  return new PalimpsestError("invalid-input", "--json and --output - both want standard output", {
    advice: "Name a file with --output, or leave --json out.",
  });
}

/** An export goes to standard output where that is asked for, or where a program reads it and no file is named. */
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
    `Bring it into another store with: lcm import ${escapeControls(output.file)}`,
    "and say which: --data <folder>, or --database-url <address>.",
    ...list("The store is damaged, and this is not in the export:", output.leftOut.map(describe)),
  ].join("\n");
}

export function renderHtmlExport(
  output: ExportOutput,
  { withoutToolResults = false }: { readonly withoutToolResults?: boolean },
): string {
  const content = withoutToolResults
    ? "every word but the results of tools"
    : "every word, results of tools included";
  return [
    `${wroteFile(output)} Open it in a browser.`,
    `It contains ${counted(output.messages, "message")} with ${content}, and whatever secrets are in them. Read it before you pass it on.`,
  ].join("\n");
}

function describe({ conversation, messages, fromSeq, problem }: DumpDamage): string {
  const place = conversation ?? "the memories or the audit log";
  const from = fromSeq === null ? "" : `, from message ${count(fromSeq)} of ${count(messages)} on`;
  const before =
    conversation === null || fromSeq === null || fromSeq === 1
      ? ""
      : `. What is before can be read with: lcm read ${conversation} --to ${fromSeq - 1}`;
  return `${place}${from}: ${escapeControls(problem)}${before}`;
}
