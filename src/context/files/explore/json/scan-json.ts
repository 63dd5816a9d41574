/**
 * Reads JSON in pieces and reports its structure to a visitor. Only the beginning of a long text is kept, and an
 * open container costs one bit, so that memory use does not depend on the file. Comments and commas before a closing
 * bracket are accepted and noted; several values may follow each other. The position of the first error is kept.
 */
import type { StructureVisitor } from "../shape/shape-builder.ts";
import { valueType } from "../value-type.ts";
import { ContainerStack } from "./container-stack.ts";

interface JsonBreak {
  /** From 1. */
  readonly line: number;
  /** Characters from the beginning of the file. */
  readonly offset: number;
  readonly expected: string;
}

type State = "value" | "first-key" | "key" | "colon" | "next" | "string" | "bare" | "comment" | "skip-line";

/** Only this many characters of a longer text are passed, still escaped. */
export const LONGEST_TEXT = 256;
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const [QUOTE, BACKSLASH, NEWLINE, COMMA, COLON, SLASH, HASH] = [34, 92, 10, 44, 58, 47, 35];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];
const IS_BARE = new Uint8Array(128);
for (const sign of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-._")
  IS_BARE[sign.charCodeAt(0)] = 1;

export class JsonScanner {
  /** Top-level values, complete or not. */
  roots = 0;
  brokenLines = 0;
  firstBreak: JsonBreak | null = null;
  hasComments = false;
  readonly #visitor: StructureVisitor;
  /** One record a line: an error ends with its line, and reading continues. */
  readonly #isByLine: boolean;
  readonly #open = new ContainerStack();
  #state: State = "value";
  #isKey = false;
  #isEscaped = false;
  #hasEscapes = false;
  #text = "";
  #length = 0;
  #afterComment: State = "value";
  #commentEnd = NEWLINE;
  #offset = 0;
  #line = 1;

  constructor(visitor: StructureVisitor, isByLine: boolean) {
    this.#visitor = visitor;
    this.#isByLine = isByLine;
  }

  get isStopped(): boolean {
    return this.firstBreak !== null && !this.#isByLine;
  }

  get depth(): number {
    return this.#open.depth;
  }

  write(piece: string): void {
    let i = 0;
    while (i < piece.length && !this.isStopped) i = this.#step(piece, i);
    this.#offset += i;
    for (let at = piece.indexOf("\n"); at >= 0 && at < i; at = piece.indexOf("\n", at + 1)) this.#line++;
  }

  /** Ends the file, whether its values are complete or not. */
  finish(): void {
    if (this.isStopped) return;
    if (this.#state === "bare") this.#endBare("", 0);
    if (this.#state === "string") this.#break("", 0, "the end of a text in quotes");
    else if (this.#open.depth > 0)
      this.#break("", 0, `the end of ${this.#open.depth} open objects or arrays`);
  }

  #step(piece: string, i: number): number {
    switch (this.#state) {
      case "string":
        return this.#inString(piece, i);
      case "bare":
        return this.#inBare(piece, i);
      case "comment":
        return this.#inComment(piece, i);
      case "skip-line":
        return this.#skipLine(piece, i);
      default:
        return this.#betweenValues(piece, i);
    }
  }

  #betweenValues(piece: string, i: number): number {
    const unit = piece.charCodeAt(i);
    if (unit <= 32 || unit === 0xfeff) {
      if (unit === NEWLINE && this.#isByLine && this.#open.depth > 0)
        return this.#break(piece, i, "the rest of the record");
      return i + 1;
    }
    if (unit === QUOTE) return this.#beginString(piece, i);
    if (unit === COMMA && this.#state === "next" && this.#open.depth > 0) {
      this.#state = this.#open.isObject ? "key" : "value";
      return i + 1;
    }
    if (unit === COLON && this.#state === "colon") {
      this.#state = "value";
      return i + 1;
    }
    if (unit === CLOSE_ARRAY || unit === CLOSE_OBJECT) return this.#close(piece, i, unit === CLOSE_OBJECT);
    if (unit === SLASH || unit === HASH) return this.#beginComment(piece, i, unit);
    if (this.#state !== "value") return this.#startsRoot() ? i : this.#break(piece, i, this.#expected());
    if (unit === OPEN_OBJECT || unit === OPEN_ARRAY) return this.#openContainer(i, unit === OPEN_OBJECT);
    if (IS_BARE[unit] !== 1) return this.#break(piece, i, "a value");
    this.#begin("bare");
    return i;
  }

  /** Another top-level value may follow; the state changes, and the character is read again. */
  #startsRoot(): boolean {
    if (this.#open.depth > 0 || this.#state !== "next") return false;
    this.#state = "value";
    return true;
  }

  #expected(): string {
    if (this.#state === "colon") return "a colon";
    if (this.#state === "next") return this.#open.isObject ? "a comma or }" : "a comma or ]";
    return "a key in quotes";
  }

  #openContainer(i: number, isObject: boolean): number {
    if (this.#open.depth === 0) this.roots++;
    this.#open.push(isObject);
    if (isObject) this.#visitor.beginObject();
    else this.#visitor.beginArray();
    this.#state = isObject ? "first-key" : "value";
    return i + 1;
  }

  /** Also where a value or key was expected: the container is empty, or has a trailing comma. */
  #close(piece: string, i: number, isObject: boolean): number {
    const isPlace = isObject
      ? this.#state === "next" || this.#state === "first-key" || this.#state === "key"
      : this.#state === "next" || this.#state === "value";
    if (this.#open.depth === 0 || this.#open.isObject !== isObject || !isPlace)
      return this.#break(piece, i, this.#expected());
    this.#open.pop();
    this.#visitor.end();
    this.#state = "next";
    return i + 1;
  }

  #begin(state: "string" | "bare"): void {
    this.#state = state;
    this.#text = "";
    this.#length = 0;
    this.#hasEscapes = false;
    this.#isEscaped = false;
  }

  #beginString(piece: string, i: number): number {
    if (this.#state === "colon" || (this.#state === "next" && !this.#startsRoot()))
      return this.#break(piece, i, this.#expected());
    this.#isKey = this.#state !== "value";
    this.#begin("string");
    return i + 1;
  }

  #inString(piece: string, start: number): number {
    let i = start;
    for (; i < piece.length; i++) {
      const unit = piece.charCodeAt(i);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (unit === BACKSLASH) this.#isEscaped = this.#hasEscapes = true;
      else if (unit === QUOTE) break;
      else if (unit === NEWLINE && this.#isByLine)
        return this.#break(piece, i, "the end of a text in quotes");
    }
    this.#keep(piece, start, i);
    if (i === piece.length) return i;
    this.#endString();
    return i + 1;
  }

  #keep(piece: string, from: number, end: number): void {
    const room = LONGEST_TEXT - this.#text.length;
    if (room > 0) this.#text += piece.slice(from, Math.min(end, from + room));
    this.#length += end - from;
  }

  #endString(): void {
    const text = this.#hasEscapes ? readEscapes(this.#text) : this.#text;
    if (this.#isKey) {
      this.#visitor.key(text);
      this.#state = "colon";
      return;
    }
    const type = text === "" ? "text" : valueType(text) === "date" ? "date" : "text";
    this.#scalar(type, text, this.#length);
  }

  #inBare(piece: string, start: number): number {
    let i = start;
    while (i < piece.length && IS_BARE[piece.charCodeAt(i)] === 1) i++;
    this.#keep(piece, start, i);
    return i === piece.length ? i : this.#endBare(piece, i);
  }

  #endBare(piece: string, i: number): number {
    const text = this.#text;
    if (text === "true" || text === "false") this.#scalar("boolean", text, this.#length);
    else if (text === "null" || text === "NaN" || text.endsWith("Infinity")) this.#scalar("empty", "", 0);
    else if (NUMBER.test(text)) this.#scalar(/^-?\d+$/.test(text) ? "integer" : "number", text, this.#length);
    else return this.#break(piece, i, "a value");
    return i;
  }

  #scalar(
    type: "text" | "date" | "boolean" | "empty" | "integer" | "number",
    text: string,
    length: number,
  ): void {
    if (this.#open.depth === 0) this.roots++;
    this.#visitor.scalar(type, text, length);
    this.#state = "next";
  }

  #beginComment(piece: string, i: number, unit: number): number {
    const isBlock = unit === SLASH && piece.charAt(i + 1) === "*";
    if (this.#isByLine || (unit === SLASH && !isBlock && piece.charAt(i + 1) !== "/"))
      return this.#break(piece, i, this.#state === "value" ? "a value" : this.#expected());
    this.hasComments = true;
    this.#afterComment = this.#state;
    this.#commentEnd = isBlock ? SLASH : NEWLINE;
    this.#state = "comment";
    return i + (isBlock ? 2 : 1);
  }

  #inComment(piece: string, i: number): number {
    const end = piece.indexOf(this.#commentEnd === NEWLINE ? "\n" : "*/", i);
    if (end < 0) return piece.length;
    this.#state = this.#afterComment;
    return end + (this.#commentEnd === NEWLINE ? 1 : 2);
  }

  #skipLine(piece: string, i: number): number {
    const end = piece.indexOf("\n", i);
    if (end < 0) return piece.length;
    this.#state = "value";
    return end + 1;
  }

  /** Keeps the first position; line-by-line reading continues after this line. */
  #break(piece: string, i: number, expected: string): number {
    this.brokenLines++;
    this.firstBreak ??= {
      line: this.#line + newlines(piece.slice(0, i)),
      offset: this.#offset + i,
      expected,
    };
    this.#visitor.abandon();
    while (this.#open.depth > 0 && this.#isByLine) this.#open.pop();
    this.#state = "skip-line";
    return i;
  }
}

function newlines(text: string): number {
  return text.split("\n").length - 1;
}

/** Text cut off within an escape is kept as written. */
function readEscapes(text: string): string {
  try {
    return JSON.parse(`"${text.replaceAll("\n", "\\n").replaceAll("\t", "\\t")}"`) as string;
  } catch {
    return text;
  }
}
