/**
 * Reads delimited text in pieces: quoted fields may contain delimiters, line ends and doubled quotes. Only the
 * beginning of a long field is kept. An unclosed quote extends the field to the end of the file.
 */
interface CsvVisitor {
  /** Only the beginning of a long field is passed. */
  field(text: string, length: number): void;
  endRow(): void;
}

const LONGEST_FIELD = 256;
const [QUOTE, NEWLINE, RETURN] = [34, 10, 13];

export class CsvScanner {
  readonly #visitor: CsvVisitor;
  readonly #delimiter: number;
  #text = "";
  #length = 0;
  #isQuoted = false;
  /** A quote inside a quoted field ends it unless another one follows. */
  #isAfterQuote = false;
  #hasFields = false;
  #line = 1;
  quotedFields = 0;
  /** The file ended inside quotes. */
  isCutOff = false;
  /** Line of the last opening quote. */
  quoteLine = 0;

  constructor(delimiter: string, visitor: CsvVisitor) {
    this.#visitor = visitor;
    this.#delimiter = delimiter.charCodeAt(0);
  }

  write(piece: string): void {
    let i = 0;
    while (i < piece.length) i = this.#isQuoted ? this.#inQuotes(piece, i) : this.#plain(piece, i);
  }

  finish(): void {
    this.isCutOff = this.#isQuoted && !this.#isAfterQuote;
    if (this.#hasFields || this.#length > 0 || this.#isQuoted) this.#endRow();
  }

  #plain(piece: string, start: number): number {
    let i = start;
    if (this.#length === 0 && piece.charCodeAt(i) === QUOTE) return this.#openQuote(i);
    for (; i < piece.length; i++) {
      const unit = piece.charCodeAt(i);
      if (unit === this.#delimiter || unit === NEWLINE) break;
    }
    this.#keep(piece, start, i);
    if (i === piece.length) return i;
    if (piece.charCodeAt(i) === NEWLINE) this.#endLine();
    else this.#endField();
    return i + 1;
  }

  #openQuote(i: number): number {
    this.#isQuoted = true;
    this.#isAfterQuote = false;
    this.quoteLine = this.#line;
    this.quotedFields++;
    return i + 1;
  }

  #inQuotes(piece: string, start: number): number {
    if (this.#isAfterQuote) return this.#afterQuote(piece, start);
    const end = piece.indexOf('"', start);
    const to = end < 0 ? piece.length : end;
    this.#keep(piece, start, to);
    for (let at = piece.indexOf("\n", start); at >= 0 && at < to; at = piece.indexOf("\n", at + 1))
      this.#line++;
    if (end < 0) return to;
    this.#isAfterQuote = true;
    return end + 1;
  }

  /** A doubled quote is a quote character; otherwise the rest of the field is read literally. */
  #afterQuote(piece: string, i: number): number {
    this.#isAfterQuote = false;
    if (piece.charCodeAt(i) === QUOTE) {
      this.#keep('"', 0, 1);
      return i + 1;
    }
    this.#isQuoted = false;
    const unit = piece.charCodeAt(i);
    if (unit === this.#delimiter || unit === NEWLINE || unit === RETURN) return i;
    this.#keep(piece, i, i + 1);
    return i + 1;
  }

  #keep(piece: string, from: number, end: number): void {
    const room = LONGEST_FIELD - this.#text.length;
    if (room > 0 && end > from) {
      const text = piece.slice(from, Math.min(end, from + room));
      this.#text = this.#text === "" ? text : this.#text + text;
    }
    this.#length += end - from;
  }

  #endField(): void {
    this.#visitor.field(this.#text, this.#length);
    this.#text = "";
    this.#length = 0;
    this.#isQuoted = false;
    this.#isAfterQuote = false;
    this.#hasFields = true;
  }

  /** An empty line is not a row. */
  #endLine(): void {
    this.#line++;
    if (this.#text.endsWith("\r")) {
      this.#text = this.#text.slice(0, -1);
      this.#length--;
    }
    if (this.#hasFields || this.#length > 0) this.#endRow();
  }

  #endRow(): void {
    this.#endField();
    this.#hasFields = false;
    this.#visitor.endRow();
  }
}
