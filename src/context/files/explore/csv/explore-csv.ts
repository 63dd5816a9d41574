/** Delimited text: its dialect, the number of rows, and for each column its type, range and examples. */
import { count, counted } from "../../../../text/counted.ts";
import { isPlainName } from "../../../../text/credentials/safe-to-show.ts";
import { describeValues } from "../describe-values.ts";
import type { Beginning, Findings, Reading, Section } from "../exploration.ts";
import { valueType } from "../value-type.ts";
import { Values } from "../values.ts";
import { DELIMITERS, type Delimiter, detectDialect } from "./detect-dialect.ts";
import { CsvScanner } from "./scan-csv.ts";

/** Further columns are only counted. */
const MOST_COLUMNS = 400;
/** Above this number, columns are listed on one line. */
const MOST_LINES = 24;
/** Examples of all columns together. */
const EXAMPLES = 40;

export class CsvReading implements Reading {
  readonly isDone = false;
  readonly #delimiter: Delimiter;
  readonly #header: readonly string[] | null;
  readonly #width: number;
  readonly #columns: Values[] = [];
  readonly #scanner: CsvScanner;
  #rows = 0;
  #fields = 0;
  #ragged = 0;
  #firstRagged = 0;
  #isHeader: boolean;

  constructor({ head }: Beginning) {
    const { delimiter, columns, rows } = detectDialect(head);
    this.#delimiter = delimiter;
    this.#header = findHeader(rows);
    this.#width = this.#header?.length ?? columns;
    this.#isHeader = this.#header !== null;
    this.#scanner = new CsvScanner(delimiter, {
      field: (text, length) => this.#field(text, length),
      endRow: () => this.#endRow(),
    });
  }

  write(text: string): void {
    this.#scanner.write(text);
  }

  finish(): Findings {
    this.#scanner.finish();
    return { kind: "csv", label: this.#label(), facts: this.#facts(), sections: [this.#section()] };
  }

  #field(text: string, length: number): void {
    const column = this.#fields++;
    if (this.#isHeader || column >= MOST_COLUMNS) return;
    let values = this.#columns[column];
    if (values === undefined) {
      values = new Values();
      this.#columns[column] = values;
    }
    const first = text.charCodeAt(0);
    const last = text.charCodeAt(text.length - 1);
    if (first <= 32 || last <= 32) values.add(text.trim(), length);
    else values.add(text, length);
  }

  #endRow(): void {
    if (this.#isHeader) {
      this.#isHeader = false;
    } else {
      this.#rows++;
      if (this.#fields !== this.#width && this.#ragged++ === 0) this.#firstRagged = this.#rows;
    }
    this.#fields = 0;
  }

  #label(): string {
    return this.#delimiter === "\t" ? "TSV" : "CSV";
  }

  #facts(): string[] {
    const facts = [counted(this.#rows, "row"), counted(this.#width, "column")];
    facts.push(this.#header === null ? "no header" : "header in the first line");
    facts.push(`separated by ${DELIMITERS[this.#delimiter]}`);
    if (this.#scanner.quotedFields > 0) facts.push("fields in double quotes where needed");
    if (this.#ragged > 0)
      facts.push(
        `${counted(this.#ragged, "row")} with another number of fields, the first is row ${count(this.#firstRagged)}`,
      );
    if (this.#scanner.isCutOff)
      facts.push(
        `the quote opened in line ${count(this.#scanner.quoteLine)} is never closed, what follows it was read as one field`,
      );
    return facts;
  }

  #section(): Section {
    const isNearCredential = this.#columns.some(({ hasCredentialName }) => hasCredentialName);
    const examples = Math.max(3, Math.min(12, Math.floor(EXAMPLES / this.#columns.length)));
    const items = this.#columns.map((values, column) => {
      const name = this.#header?.[column] ?? "";
      // A column without a name may contain anything.
      const context = { name: name === "" ? "value" : name, isNearCredential, examples };
      const description = describeValues(values, context);
      return `${this.#nameOf(name, column)}: ${description}`;
    });
    const total = Math.max(this.#width, items.length);
    const layout = items.length > MOST_LINES ? "inline" : "lines";
    return { lead: `Columns (${count(total)}):`, items, total, layout, share: 1 };
  }

  #nameOf(name: string, column: number): string {
    return isPlainName(name) ? name : `column ${column + 1}`;
  }
}

/** The names of the columns, if the first row contains names and not values. */
function findHeader(rows: readonly (readonly string[])[]): readonly string[] | null {
  const [first, ...body] = rows;
  if (first === undefined) return null;
  const names = first.map((name) => name.trim());
  if (names.some((name, column) => name !== "" && valueType(name) !== "text" && !isYear(name, column)))
    return null;
  if (new Set(names).size < names.length - names.filter((name) => name === "").length) return null;
  if (names.filter((name) => name === "").length > names.length / 2) return null;
  return isUnlikeBody(names, body) ? names : null;
}

/** Tables with a column for each year have numbers as names. */
function isYear(name: string, column: number): boolean {
  return column > 0 && /^(?:19|20)\d\d$/.test(name);
}

/** A column of numbers or dates below a word has that word as its name. Among words alone, names must look like names. */
function isUnlikeBody(names: readonly string[], body: readonly (readonly string[])[]): boolean {
  const isTyped = names.some((_, column) => isColumnTyped(body, column));
  if (isTyped || body.length === 0) return names.every((name) => name === "" || !/[=@]/.test(name));
  return (
    names.every((name) => /^\p{L}[\p{L} _\-()./%]*$/u.test(name) && isPlainName(name)) &&
    hasOtherForm(names, body)
  );
}

function isColumnTyped(body: readonly (readonly string[])[], column: number): boolean {
  const types = body.map((row) => valueType(row[column] ?? "")).filter((type) => type !== "empty");
  const typed = types.filter((type) => type !== "text").length;
  return typed > 0 && typed >= types.length * 0.8;
}

/** Some row below has digits, spaces or capitals that no name in the first row has. */
function hasOtherForm(names: readonly string[], body: readonly (readonly string[])[]): boolean {
  return names.some((name, column) => {
    const others = body.filter((row) => formOf(row[column] ?? "") !== formOf(name)).length;
    return body.length > 0 && others >= body.length * 0.7;
  });
}

function formOf(text: string): string {
  return [/\d/, /\s/, /^\p{Lu}/u, /[^\p{L}\p{N}\s_]/u]
    .map((pattern) => (pattern.test(text) ? 1 : 0))
    .join("");
}
