/**
 * Splits text that arrives in pieces into lines. A line longer than the limit is cut, so that a file of one line
 * needs no more memory than any other.
 */
const LONGEST_LINE = 16_384;

export class LineSplitter {
  readonly #take: (text: string, length: number) => void;
  #open = "";
  #length = 0;

  constructor(take: (text: string, length: number) => void) {
    this.#take = take;
  }

  write(piece: string): void {
    let from = 0;
    for (let end = piece.indexOf("\n"); end >= 0; end = piece.indexOf("\n", from)) {
      this.#add(piece, from, end);
      this.#end();
      from = end + 1;
    }
    this.#add(piece, from, piece.length);
  }

  /** The last line may have no line end. */
  finish(): void {
    if (this.#length > 0) this.#end();
  }

  #add(piece: string, from: number, end: number): void {
    const room = LONGEST_LINE - this.#open.length;
    if (room > 0 && end > from) {
      const text = piece.slice(from, Math.min(end, from + room));
      this.#open = this.#open === "" ? text : this.#open + text;
    }
    this.#length += end - from;
  }

  #end(): void {
    const text = this.#open.endsWith("\r") ? this.#open.slice(0, -1) : this.#open;
    const length = this.#length;
    this.#open = "";
    this.#length = 0;
    this.#take(text, length);
  }
}
