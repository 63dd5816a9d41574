/** One line for each file of an import, written when the file is done. */
import type { FoundFiles } from "../../operations/store/find-transcripts.ts";
import { shownPath } from "../../operations/store/import-page.ts";
import type { FileReport, TranscriptReport } from "../../operations/store/import-report.ts";
import { count, counted } from "../../text/counted.ts";
import { oneLine } from "../../text/escape-controls.ts";
import type { Look } from "../../text/terminal/look.ts";
import { displayWidth, fitWidth, padWidth } from "../../text/terminal/table.ts";
import type { CommandLine } from "../command-line.ts";

/** A longer name is cut in a terminal; in a pipe it pushes the rest of its line to the right. */
const WIDEST_NAME = 36;
/** A longer line with a reason is split after the name. */
const WIDEST_LINE = 80;
const AMOUNT_WIDTH = 7;

export class FileLines {
  readonly #cli: CommandLine;
  #found: FoundFiles = { folder: null, files: [], unreadable: [] };
  #nameWidth = 0;
  #done = 0;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(cli: CommandLine) {
    this.#cli = cli;
  }

  begin(found: FoundFiles): void {
    this.#found = found;
    const paths = [...found.files, ...found.unreadable.map((folder) => folder.path)];
    const widest = paths.reduce((most, one) => Math.max(most, displayWidth(shownPath(one, found.folder))), 0);
    this.#nameWidth = Math.min(WIDEST_NAME, widest);
  }

  /** `[3/13]` of the current file. */
  get position(): string {
    return `[${this.#done + 1}/${this.#found.files.length + this.#found.unreadable.length}]`;
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
    const path = shownPath(report.path, this.#found.folder);
    const isCut = this.#cli.terminal.isOutputShown;
    const name = padWidth(isCut ? fitWidth(path, this.#nameWidth) : path, this.#nameWidth);
    switch (report.kind) {
      case "refused":
        return refusedLine(isCut ? fitWidth(path, look.columns - 2) : path, name, reasonOf(report), look);
      case "store-export":
        return look.wrap(
          `${look.style("green", "✓")} ${name}  ${amount(report.imported)}  a whole store${alreadyThere(report)}`,
          INDENT,
        );
      case "transcript":
        return look.wrap(`${markOf(report, look)} ${name}  ${describe(report, look)}`, INDENT);
    }
  }
}

const INDENT = 4;

/** A long reason is on its own line, below the whole name. */
function refusedLine(path: string, name: string, reason: string, look: Look): string {
  const mark = look.style("yellow", "✗");
  const line = `${mark} ${name}  ${look.style("yellow", reason)}`;
  if (displayWidth(`✗ ${name}  ${reason}`) <= Math.min(WIDEST_LINE, look.columns) && name.startsWith(path))
    return line;
  return `${mark} ${path}\n${look.wrap(" ".repeat(INDENT) + look.style("yellow", reason))}`;
}

/** The message names the file, which is already at the start of the line: `x.jsonl is empty` becomes `empty`. */
function reasonOf({ problem, path: file }: Extract<FileReport, { kind: "refused" }>): string {
  const reason = problem.startsWith(`${file} `)
    ? problem.slice(file.length + 1).replace(/^(?:is|has(?: an?)?) /, "")
    : problem;
  return oneLine(reason.replaceAll(file, "it"));
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
  grown: "continues a known file",
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
