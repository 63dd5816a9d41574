/** The report of an import of memories, for people. */
import path from "node:path";
import { count, counted } from "../../text/counted.ts";
import { escapeControls, oneLine } from "../../text/escape-controls.ts";
import { adviceForTerminals } from "../../text/hints/advice-for-terminals.ts";
import type { Look } from "../../text/terminal/look.ts";
import type { View } from "../command.ts";
import type { ImportedMemories, MemoryFileReport } from "./memory-import.ts";

/** The reason for skipping a file that contains something else. */
export const UNKNOWN_FORMAT = "unrecognized memory format";

export function renderImported(
  output: ImportedMemories,
  { look, suggest, again }: View<object, unknown>,
): string {
  const { dryRun, files, totals } = output;
  const shown = files.filter((file) => !isOfUnknownFormat(file) || files.length === 1);
  const others = files.length - shown.length;
  return [
    ...shown.map((file) => renderFile(file, dryRun, look)),
    ...(others === 0
      ? []
      : [look.style("dim", `${counted(others, "file")} in an unrecognized memory format`)]),
    ...lossesOf(shown, look),
    ...(files.length === 1 ? [] : [`Total: ${amounts(totals, totals.passedOver, dryRun)}.`]),
    ...(dryRun
      ? [`Nothing was stored. Import with: ${again({ dryRun: undefined })}`]
      : missingVectors(output, suggest)),
  ].join("\n\n");
}

function isOfUnknownFormat({ format, passedOver }: MemoryFileReport): boolean {
  return format === null && passedOver.every(({ reason }) => reason === UNKNOWN_FORMAT);
}

function missingVectors({ withoutVectors }: ImportedMemories, suggest: (words: string) => string): string[] {
  if (withoutVectors === 0) return [];
  const which = counted(
    withoutVectors,
    "memory has no embedding yet and is",
    "memories have no embeddings yet and are",
  );
  return [
    `${which} found by words only. Create ${withoutVectors === 1 ? "it" : "them"} with: ${suggest("memory reembed")}`,
  ];
}

/** Once for each format with new memories. */
function lossesOf(files: readonly MemoryFileReport[], look: Look): string[] {
  const used = files.filter(({ created, superseded }) => created + superseded > 0);
  return [...new Map(used.map(({ format, losses }) => [format, losses]))].map(([format, losses]) =>
    look.style(
      "dim",
      [`Not imported from ${format}:`, ...losses.map((loss) => `  ${adviceForTerminals(loss)}`)].join("\n"),
    ),
  );
}

type Counts = Pick<MemoryFileReport, "created" | "superseded" | "alreadyThere">;

function amounts({ created, superseded, alreadyThere }: Counts, passedOver: number, dryRun: boolean): string {
  const replaced = counted(superseded, "replaces an older value", "replace older values");
  const replacing = superseded === 0 ? "" : ` (${replaced})`;
  return [
    `${counted(created + superseded, "memory", "memories")} ${dryRun ? "would be " : ""}stored${replacing}`,
    `${count(alreadyThere)} already stored`,
    ...(passedOver === 0 ? [] : [`${count(passedOver)} skipped`]),
  ].join(", ");
}

const MOST_SHOWN = 20;

function renderFile(file: MemoryFileReport, dryRun: boolean, look: Look): string {
  const { format, passedOver, changes } = file;
  const head = `${look.style("bold", path.basename(file.path))}${look.style("dim", ` · ${format ?? "unknown"}`)}`;
  return [
    head,
    `  ${amounts(file, passedOver.length, dryRun)}`,
    ...cutList(passedOver.map((problem) => look.style("yellow", describeProblem(problem)))),
    ...cutList(changes.map(escapeControls)),
  ].join("\n");
}

function describeProblem({ line, row, reason }: MemoryFileReport["passedOver"][number]): string {
  const which = row === undefined ? "" : `, row ${count(row)}`;
  return `line ${count(line)}${which}: ${oneLine(adviceForTerminals(reason))}`;
}

function cutList(lines: readonly string[]): string[] {
  const rest = lines.length - MOST_SHOWN;
  const shown = lines.slice(0, MOST_SHOWN).map((line) => `  ${line}`);
  return rest > 0 ? [...shown, `  … and ${count(rest)} more (--json has all of them)`] : shown;
}
