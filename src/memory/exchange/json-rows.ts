/**
 * The objects of a JSON file of another program, each with the line on which it starts: the lines of a JSONL file,
 * or the elements of the lists of a document. Only one is held in memory, for any size of the document; objects
 * before an error or a truncated end are still returned.
 */
import { jsonProblem } from "../../text/json-problem.ts";
import { foreignRow } from "./foreign-fields.ts";
import type { Lines } from "./imported-memory.ts";

type JsonRow =
  /** `list`: name of the list in the document; null for an unnamed list and for lines. */
  | { readonly line: number; readonly list: string | null; readonly row: Readonly<Record<string, unknown>> }
  | { readonly line: number; readonly problem: string };

export async function* jsonRows(lines: Lines): AsyncGenerator<JsonRow> {
  let isDocument: boolean | undefined;
  let line = 0;
  const scan = new DocumentScan();
  for await (const whole of lines) {
    line += 1;
    const text = line === 1 ? whole.replace(/^\ufeff/, "") : whole;
    if (text.trim() === "") continue;
    isDocument ??= beginsDocument(text);
    if (isDocument) yield* scan.read(text, line);
    else yield rowOf(text, { line, list: null });
  }
  if (isDocument === undefined) yield { line: 1, problem: "the file is empty" };
  if (isDocument === true) yield* scan.end(line);
}

/** A first line that is a complete object and does not wrap lists is the first of many lines. */
function beginsDocument(text: string): boolean {
  try {
    const { success, data } = foreignRow.safeParse(JSON.parse(text));
    return !success || !(typeof data.text === "string" || typeof data.memory === "string" || hasNoList(data));
  } catch {
    // Lines of JSONL begin with an object's first field; a document may begin with a bracket alone.
    return !/^\s*\{\s*"(?:id|text|memory)"/.test(text);
  }
}

function hasNoList(row: Readonly<Record<string, unknown>>): boolean {
  return !Object.values(row).some(Array.isArray);
}

function rowOf(text: string, { line, list }: { line: number; list: string | null }): JsonRow {
  try {
    const { success, data } = foreignRow.safeParse(JSON.parse(text));
    return success ? { line, list, row: data } : { line, problem: "is JSON, but not an object" };
  } catch (error) {
    return { line, problem: `is not JSON, or is truncated: ${jsonProblem(error)}` };
  }
}

const MARKS = /["[\]{}]|[^\s,:"[\]{}]+/g;

/** Tracks the brackets of a document and extracts the objects in its lists. */
class DocumentScan {
  /** The open brackets, outermost first. */
  #open: string[] = [];
  #lastText = "";
  #list: string | null = null;
  #pieces: string[] = [];
  #rowLine = 0;
  #rows = 0;

  *read(text: string, line: number): Generator<JsonRow> {
    let rowFrom = 0;
    MARKS.lastIndex = 0;
    for (let mark = MARKS.exec(text); mark !== null; mark = MARKS.exec(text)) {
      const [sign] = mark;
      const wasInRow = this.#isInRow();
      if (sign === '"') this.#passText(text);
      else if (sign === "{" || sign === "[") this.#opened(sign);
      else if (sign === "}" || sign === "]") this.#open.pop();
      if (!wasInRow && this.#isInRow()) {
        rowFrom = mark.index;
        this.#rowLine = line;
      } else if (wasInRow && !this.#isInRow()) {
        this.#rows += 1;
        yield rowOf([...this.#pieces, text.slice(rowFrom, MARKS.lastIndex)].join("\n"), {
          line: this.#rowLine,
          list: this.#list,
        });
        this.#pieces = [];
      } else if (!wasInRow && this.#isInList() && !"[]{}".includes(sign))
        yield { line, problem: "is not an object" };
    }
    if (this.#isInRow()) this.#pieces.push(text.slice(this.#pieces.length === 0 ? rowFrom : 0));
  }

  *end(line: number): Generator<JsonRow> {
    if (this.#open.length > 0)
      yield { line, problem: "is the last line that was read, but the file is truncated" };
    else if (this.#rows === 0) yield { line, problem: "is the end of a file without memories" };
  }

  #opened(bracket: string): void {
    if (bracket === "[" && !this.#isInRow()) this.#list = this.#open.length === 0 ? null : this.#lastText;
    this.#open.push(bracket);
  }

  /** Skips to the end of a string or line: JSON strings do not span lines. */
  #passText(line: string): void {
    const from = MARKS.lastIndex;
    let end = line.indexOf('"', from);
    while (end >= 0 && isEscaped(line, end, from)) end = line.indexOf('"', end + 1);
    MARKS.lastIndex = end < 0 ? line.length : end + 1;
    if (this.#open.length === 1) this.#lastText = line.slice(from, MARKS.lastIndex - 1);
  }

  /** In an object of a list that is the document itself or a field of it. */
  #isInRow(): boolean {
    const brackets = this.#open.slice(0, 3).join("");
    return brackets.startsWith("[{") || brackets === "{[{";
  }

  #isInList(): boolean {
    if (this.#open.length > 2) return false;
    const brackets = this.#open.join("");
    return brackets === "[" || brackets === "{[";
  }
}

/** Whether an odd number of backslashes precedes it. */
function isEscaped(line: string, at: number, from: number): boolean {
  let first = at;
  while (first > from && line[first - 1] === "\\") first -= 1;
  return (at - first) % 2 === 1;
}
