/** Extracts the cells of a notebook from the events of its JSON. */
import { LONGEST_TEXT } from "../json/scan-json.ts";
import type { StructureVisitor } from "../shape/shape-builder.ts";
import type { ValueType } from "../value-type.ts";

/** Beyond this size, code is not collected for the outline. */
const MOST_CODE = 1_000_000;
const MOST_HEADINGS = 2_000;
const MOST_KINDS = 40;
const HEADING = /^\s{0,3}(#{1,6})\s+(.+)$/;

export class NotebookCells implements StructureVisitor {
  language = "";
  readonly #path: string[] = [];
  #depth = 0;
  #key = "";
  #cellKind = "";
  #source: string[] = [];
  #cell = 0;
  readonly #kinds = new Map<string, number>();
  readonly #outputs = new Map<string, number>();
  readonly #headings: string[] = [];
  readonly #code: string[] = [];
  #codeLength = 0;

  result() {
    return {
      kinds: this.#kinds,
      outputs: this.#outputs,
      headings: this.#headings,
      code: this.#code.join("\n"),
    };
  }

  beginObject(): void {
    this.#begin();
    if (this.#isAt("cells", 3)) {
      this.#cell++;
      this.#cellKind = "";
      this.#source = [];
    }
  }

  beginArray(): void {
    this.#begin();
  }

  key(name: string): void {
    this.#key = name;
  }

  scalar(_type: ValueType, text: string, length: number): void {
    const path = this.#path;
    if (path[1] === "cells") {
      if (this.#depth === 3 && this.#key === "cell_type") this.#cellKind = text;
      else if (this.#depth === 3 && this.#key === "source") this.#source.push(text);
      else if (this.#depth === 4 && path[3] === "source") this.#addSource(text, length);
      else if (this.#depth === 5 && path[3] === "outputs" && this.#key === "output_type")
        tallyUp(this.#outputs, text);
      else if (this.#key === "output_type" && path[3] === "outputs") tallyUp(this.#outputs, text);
    } else if (this.#isLanguage()) this.language ||= text;
  }

  end(): void {
    if (this.#isAt("cells", 3)) this.#endCell();
    this.#depth--;
    this.#path.length = Math.min(this.#path.length, Math.max(0, this.#depth));
    this.#key = "";
  }

  abandon(): void {
    if (this.#source.length > 0) this.#endCell();
  }

  #begin(): void {
    if (this.#depth < 8) this.#path[this.#depth] = this.#key;
    this.#depth++;
    this.#key = "";
  }

  /** Whether the position is in an object of the list with this name. */
  #isAt(name: string, depth: number): boolean {
    return this.#depth === depth && this.#path[1] === name;
  }

  #isLanguage(): boolean {
    const isPlace =
      this.#path[1] === "metadata" && (this.#path[2] === "kernelspec" || this.#path[2] === "language_info");
    return (
      isPlace && (this.#key === "language" || (this.#key === "name" && this.#path[2] === "language_info"))
    );
  }

  #addSource(text: string, length: number): void {
    // Only the beginning of a longer line was passed, which is not valid code.
    this.#source.push(length > LONGEST_TEXT ? "\n" : text);
  }

  #endCell(): void {
    tallyUp(this.#kinds, this.#cellKind);
    const source = this.#source.join("");
    if (this.#cellKind === "markdown") this.#addHeadings(source);
    else if (this.#cellKind === "code" && this.#codeLength < MOST_CODE) {
      const code = source.replaceAll(/^\s*[%!?].*$/gm, "");
      this.#code.push(code);
      this.#codeLength += code.length;
    }
    this.#source = [];
  }

  #addHeadings(source: string): void {
    for (const line of source.split("\n")) {
      const [, level = "", text] = HEADING.exec(line) ?? [];
      if (text !== undefined && this.#headings.length < MOST_HEADINGS)
        this.#headings.push(
          `${"  ".repeat(level.length - 1)}${text.replaceAll(/[*`]/g, "").trim()} (cell ${this.#cell})`,
        );
    }
  }
}

function tallyUp(counts: Map<string, number>, name: string): void {
  const known = /^[a-z_]{1,20}$/.test(name) ? name : "other";
  if (counts.has(known) || counts.size < MOST_KINDS) counts.set(known, (counts.get(known) ?? 0) + 1);
}
