/** One line for each file of an import, written when the file is done. */
import type { FoundFiles } from "../../operations/store/find-transcripts.ts";
import { shownPath } from "../../operations/store/import-page.ts";
import type { FileReport, TranscriptReport } from "../../operations/store/import-report.ts";
import { count, counted } from "../../text/counted.ts";
import { oneLine } from "../../text/escape-controls.ts";
import type { Look } from "../../text/terminal/look.ts";
import { displayWidth, fitWidth, padWidth } from "../../text/terminal/table.ts";
import type { CommandLine } from "../command-line.ts";

const WIDEST_NAME = 60;
const AMOUNT_WIDTH = 7;

export class FileLines {
  readonly #cli: CommandLine;
  #found: FoundFiles = { folder: null, files: [] };
  #nameWidth = 0;
  #done = 0;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(cli: CommandLine) {
    this.#cli = cli;
  }

  begin(found: FoundFiles): void {
    this.#found = found;
    const widest = Math.max(...found.files.map((file) => displayWidth(shownPath(file, found.folder))));
    this.#nameWidth = Math.min(WIDEST_NAME, widest);
  }

  /** `[3/13]` of the current file. */
  get position(): string {
    return `[${this.#done + 1}/${this.#found.files.length}]`;
  }

  add(report: FileReport): void {
    this.#done++;
    if (this.#cli.json) return;
    this.#cli.progress.clear();
    const line = this.#render(report, this.#cli.look());
    this.#writing = this.#writing.then(() => this.#cli.terminal.write(`${line}\n`));
  }

  async finished(): Promise<void> {
    await this.#writing;
  }

  #render(report: FileReport, look: Look): string {
    const name = padWidth(
      fitWidth(shownPath(report.path, this.#found.folder), this.#nameWidth),
      this.#nameWidth,
    );
    switch (report.kind) {
      case "refused":
        return `${look.style("yellow", "✗")} ${name}  ${look.style("yellow", reasonOf(report))}`;
      case "store-export":
        return `${look.style("green", "✓")} ${name}  ${amount(report.imported)}  a whole store${alreadyThere(report)}`;
      case "transcript":
        return `${markOf(report, look)} ${name}  ${describe(report, look)}`;
    }
  }
}

/** The message names the file, which is already at the start of the line. */
function reasonOf({ problem, path: file }: Extract<FileReport, { kind: "refused" }>): string {
  return oneLine(problem.replaceAll(file, "it"));
}

function markOf({ status }: TranscriptReport, look: Look): string {
  if (status === "imported") return look.style("green", "✓");
  return look.style("dim", status === "unchanged" ? "=" : "-");
}

function describe(report: TranscriptReport, look: Look): string {
  if (report.status === "skipped") return look.style("dim", `skipped by configuration (${report.reason})`);
  if (report.status === "unchanged")
    return look.style("dim", `already stored: ${report.formatLabel}${report.archived ? ", archived" : ""}`);
  const pieces = [`${amount(report.imported)}  ${report.formatLabel}${alreadyThere(report)}`];
  if (report.file !== "new" && report.file !== "unchanged") pieces.push(RELATIONS[report.file]);
  if (report.archived) pieces.push("its conversation stays archived");
  if (report.unreadable.length > 0)
    pieces.push(look.style("yellow", counted(report.unreadable.length, "unreadable line")));
  return pieces.join(", ");
}

const RELATIONS = {
  grown: "continued",
  resumed: "resumed",
  edited: "the file was edited",
  cut: "the file was truncated",
  replaced: "the file was replaced",
} as const;

function amount(imported: number): string {
  return `${count(imported).padStart(AMOUNT_WIDTH)} ${imported === 1 ? "message " : "messages"}`;
}

function alreadyThere(report: { readonly alreadyThere: number }): string {
  return report.alreadyThere === 0 ? "" : `, ${count(report.alreadyThere)} already stored`;
}
