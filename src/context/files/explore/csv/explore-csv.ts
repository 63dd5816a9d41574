/** Delimited text: how it is written, how many rows, and for each column its type, range and examples. */
import { count, counted } from "../../../../text/counted.ts";
import { isPlainName } from "../../../../text/credentials/safe-to-show.ts";
import { describeValues } from "../describe-values.ts";
import type { Beginning, Findings, Reading, Section } from "../exploration.ts";
import { Values } from "../values.ts";
import { DELIMITERS, type Delimiter, detectDialect } from "./detect-dialect.ts";
import { findHeader } from "./find-header.ts";
import { CsvScanner } from "./scan-csv.ts";

/** Beyond these, columns are only counted. */
const MOST_COLUMNS = 400;
/** Above this the columns stand one after the other. */
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
      // Without a name anything may stand in it.
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
