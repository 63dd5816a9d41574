/** Diffs: the changed files, with the numbers of added and removed lines. */
import { count, counted } from "../../../../text/counted.ts";
import { isPlainName } from "../../../../text/credentials/safe-to-show.ts";
import type { Findings, Reading } from "../exploration.ts";
import { LineSplitter } from "../line-splitter.ts";

interface ChangedFile {
  readonly name: string;
  readonly line: number;
  added: number;
  removed: number;
  note: string;
}

const MOST_FILES = 2_000;
const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

export class DiffReading implements Reading {
  readonly isDone = false;
  readonly #files: ChangedFile[] = [];
  #fileCount = 0;
  #lines = 0;
  #added = 0;
  #removed = 0;
  #hunks = 0;
  /** Remaining old and new lines of the current hunk: within it, `---` is a removed line. */
  #old = 0;
  #new = 0;
  #current: ChangedFile | undefined;
  readonly #splitter = new LineSplitter((line) => this.#line(line));

  write(text: string): void {
    this.#splitter.write(text);
  }

  finish(): Findings {
    this.#splitter.finish();
    const items = this.#files.toSorted((a, b) => b.added + b.removed - a.added - a.removed).map(describe);
    return {
      kind: "diff",
      label: "Diff",
      facts: [
        counted(this.#fileCount, "file"),
        counted(this.#hunks, "hunk"),
        `+${count(this.#added)} −${count(this.#removed)} lines`,
      ],
      sections: [
        { lead: "Files, most changed first:", items, total: this.#fileCount, layout: "lines", share: 1 },
      ],
    };
  }

  #line(line: string): void {
    this.#lines++;
    if (this.#old > 0 || this.#new > 0) this.#inHunk(line);
    else this.#header(line);
  }

  #inHunk(line: string): void {
    const sign = line.charAt(0);
    if (sign === "+") {
      this.#new--;
      this.#added++;
      if (this.#current !== undefined) this.#current.added++;
    } else if (sign === "-") {
      this.#old--;
      this.#removed++;
      if (this.#current !== undefined) this.#current.removed++;
    } else if (sign !== "\\") {
      this.#old--;
      this.#new--;
    }
  }

  #header(line: string): void {
    const hunk = HUNK.exec(line);
    if (hunk !== null) {
      this.#hunks++;
      this.#old = Number(hunk[1] ?? 1);
      this.#new = Number(hunk[2] ?? 1);
    } else if (line.startsWith("diff --git ")) this.#begin(/ b\/(.+)$/.exec(line)?.[1] ?? "");
    else if (line.startsWith("+++ ") && line !== "+++ /dev/null") this.#named(line.slice(4));
    else if (this.#current !== undefined) this.#note(line, this.#current);
  }

  /** Diffs without a `diff` line begin a file here. */
  #named(text: string): void {
    const name = text.replace(/\t.*$/, "").replace(/^b\//, "");
    if (this.#current?.name !== name) this.#begin(name);
  }

  #begin(name: string): void {
    this.#fileCount++;
    this.#current = { name, line: this.#lines, added: 0, removed: 0, note: "" };
    if (this.#files.length < MOST_FILES) this.#files.push(this.#current);
  }

  #note(line: string, file: ChangedFile): void {
    if (line.startsWith("new file")) file.note = ", new";
    else if (line.startsWith("deleted file")) file.note = ", deleted";
    else if (line.startsWith("rename from")) file.note = ", renamed";
    else if (line.startsWith("Binary files")) file.note = ", binary";
  }
}

function describe({ name, added, removed, note, line }: ChangedFile): string {
  return `${isPlainName(name) ? name : "(name not shown)"} +${count(added)} −${count(removed)}${note} (line ${count(line)})`;
}
