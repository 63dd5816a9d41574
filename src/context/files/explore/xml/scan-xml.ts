/**
 * Reads XML and HTML in pieces: tags with their attributes, and text. Skips comments, instructions and
 * declarations. Tolerates documents that are not well-formed, because a description of them is still useful.
 */
interface XmlVisitor {
  /** The inside of a tag, `name a="1"`; only the beginning of a long one. */
  openTag(inside: string, isEmpty: boolean): void;
  closeTag(name: string): void;
  /** Text between tags; only the beginning of a long one. */
  text(text: string, length: number): void;
}

type State = "text" | "tag" | "until";

const LONGEST_TAG = 4_096;
const LONGEST_TEXT = 256;
/** Number of characters needed to distinguish a comment from a tag. */
const LOOKAHEAD = 9;
const SKIPPED: readonly (readonly [string, string])[] = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
];
const [GREATER, DOUBLE, SINGLE, OPEN, CLOSE] = [62, 34, 39, 91, 93];

export class XmlScanner {
  readonly #visitor: XmlVisitor;
  #state: State = "text";
  #held = "";
  #text = "";
  #length = 0;
  #tag = "";
  #quote = 0;
  #brackets = 0;
  #until = "";
  /** The file ended inside a tag. */
  isCutOff = false;

  constructor(visitor: XmlVisitor) {
    this.#visitor = visitor;
  }

  write(piece: string): void {
    const text = this.#held === "" ? piece : this.#held + piece;
    this.#held = "";
    let i = 0;
    while (i < text.length) i = this.#step(text, i, false);
  }

  finish(): void {
    const rest = this.#held;
    this.#held = "";
    for (let i = 0; i < rest.length; ) i = this.#step(rest, i, true);
    if (this.#state === "text") this.#endText();
    else this.isCutOff = true;
  }

  #step(text: string, i: number, isLast: boolean): number {
    if (this.#state === "text") return this.#inText(text, i, isLast);
    return this.#state === "tag" ? this.#inTag(text, i) : this.#inSkipped(text, i, isLast);
  }

  #inText(text: string, start: number, isLast: boolean): number {
    const end = text.indexOf("<", start);
    this.#keep(text, start, end < 0 ? text.length : end);
    if (end < 0) return text.length;
    if (text.length - end < LOOKAHEAD && !isLast) {
      this.#held = text.slice(end);
      return text.length;
    }
    return this.#beginMarkup(text, end);
  }

  #beginMarkup(text: string, at: number): number {
    const skipped = SKIPPED.find(([opening]) => text.startsWith(opening, at));
    if (skipped !== undefined) {
      this.#state = "until";
      this.#until = skipped[1];
      return at + skipped[0].length;
    }
    if (!/[\p{L}_:/!]/u.test(text.charAt(at + 1))) {
      this.#keep(text, at, at + 1);
      return at + 1;
    }
    this.#endText();
    this.#state = "tag";
    this.#tag = "";
    this.#quote = 0;
    this.#brackets = 0;
    return at + 1;
  }

  /** Finds the end of the tag, which may contain `>` in quotes and, in a declaration, in brackets. */
  #inTag(text: string, start: number): number {
    let i = start;
    for (; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (this.#quote !== 0) {
        if (unit === this.#quote) this.#quote = 0;
      } else if (unit === GREATER) {
        if (this.#brackets === 0) break;
      } else if (unit === DOUBLE || unit === SINGLE) this.#quote = unit;
      else if (unit === OPEN && this.#isDeclaration(text, start)) this.#brackets++;
      else if (unit === CLOSE && this.#brackets > 0) this.#brackets--;
    }
    const room = LONGEST_TAG - this.#tag.length;
    if (room > 0) this.#tag += text.slice(start, Math.min(i, start + room));
    if (i === text.length) return i;
    this.#endTag();
    return i + 1;
  }

  #isDeclaration(text: string, start: number): boolean {
    return (this.#tag === "" ? text.charCodeAt(start) : this.#tag.charCodeAt(0)) === 33;
  }

  #endTag(): void {
    const tag = this.#tag;
    this.#state = "text";
    if (tag.startsWith("/")) this.#visitor.closeTag(tag.slice(1).trim());
    else if (!tag.startsWith("!")) this.#openTag(tag);
  }

  #openTag(tag: string): void {
    const isEmpty = tag.endsWith("/");
    this.#visitor.openTag(isEmpty ? tag.slice(0, -1) : tag, isEmpty);
    const raw = /^(script|style)\b/i.exec(tag)?.[1];
    if (raw === undefined || isEmpty) return;
    this.#state = "until";
    this.#until = `</${raw}`;
  }

  #inSkipped(text: string, i: number, isLast: boolean): number {
    const end = text.indexOf(this.#until, i);
    if (end >= 0) {
      this.#state = "text";
      // The closing tag of a script is read as a normal tag.
      return this.#until.startsWith("<") ? end : end + this.#until.length;
    }
    if (!isLast) this.#held = text.slice(Math.max(i, text.length - this.#until.length + 1));
    return text.length;
  }

  #keep(text: string, from: number, end: number): void {
    const room = LONGEST_TEXT - this.#text.length;
    if (room > 0 && end > from) this.#text += text.slice(from, Math.min(end, from + room));
    this.#length += end - from;
  }

  #endText(): void {
    if (this.#length > 0) this.#visitor.text(this.#text, this.#length);
    this.#text = "";
    this.#length = 0;
  }
}
