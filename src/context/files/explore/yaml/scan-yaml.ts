/**
 * The structure of YAML, read line by line in memory proportional to the nesting: mappings and lists by
 * indentation, block texts, and quoted texts and flow collections that span lines. Anchors and tags are skipped, and
 * aliases are values: they are not expanded, so no file can grow beyond its own size.
 */
import type { StructureVisitor } from "../shape/shape-builder.ts";
import { type ValueType, valueType } from "../value-type.ts";
import { FlowTracker } from "./flow-tracker.ts";
import { visitFlow, withoutQuotes } from "./visit-flow.ts";

interface Level {
  readonly indent: number;
  readonly isMap: boolean;
}

const LONGEST_FLOW = 65_536;
const LONGEST_PLAIN = 256;
const MOST_LEVELS = 10_000;

export class YamlScanner {
  documents = 0;
  /** Lines that fit no structure. */
  strayLines = 0;
  readonly #visitor: StructureVisitor;
  readonly #levels: Level[] = [];
  /** A key or list entry waits for its value. */
  #isPending = false;
  #hasContent = false;
  /** The plain text after it, which may continue on the next line. */
  #plainText: string | null = null;
  /** Indentation of the key that a block text belongs to. */
  #block: number | null = null;
  #blockText = "";
  #blockLength = 0;
  /** A quoted text or flow collection that continues on the next line. */
  #flow: string | null = null;
  #tracker = new FlowTracker();

  constructor(visitor: StructureVisitor) {
    this.#visitor = visitor;
  }

  line(line: string): void {
    const indent = line.search(/\S/);
    if (this.#block !== null && this.#inBlock(line, indent)) return;
    if (this.#flow !== null) {
      this.#addFlow(line.trim());
      return;
    }
    if (indent < 0 || line.charCodeAt(indent) === 35) return;
    if (indent === 0 && /^(?:---|\.\.\.)(?:\s|$)/.test(line)) this.#marker(line);
    else if (!line.startsWith("%")) this.#content(line.slice(indent).trimEnd(), indent);
  }

  finish(): void {
    this.#endBlock();
    if (this.#flow !== null) this.#scalar("text", "", this.#flow.length);
    this.#flow = null;
    this.#endDocument();
  }

  #marker(line: string): void {
    this.#endDocument();
    const rest = line.slice(3).trim();
    if (line.startsWith("---") && rest !== "" && !rest.startsWith("#")) this.#content(rest, 0);
  }

  #endDocument(): void {
    this.#closeTo(-1);
    this.#settle();
    if (this.#hasContent) this.documents++;
    this.#hasContent = false;
  }

  #content(text: string, indent: number): void {
    this.#hasContent = true;
    let [rest, at] = [text, indent];
    while (/^-(?:\s|$)/.test(rest) && this.#levels.length < MOST_LEVELS) {
      this.#entry(at);
      const skipped = /^-\s*/.exec(rest)?.[0].length ?? 1;
      rest = rest.slice(skipped);
      at += skipped;
    }
    const end = keyEnd(rest);
    if (end >= 0) this.#key(rest, end, at);
    else if (rest !== "" && !rest.startsWith("#")) this.#value(rest, at);
  }

  #entry(indent: number): void {
    this.#closeTo(indent);
    const top = this.#levels.at(-1);
    if (top !== undefined && top.indent === indent && !top.isMap) this.#settle();
    else this.#open({ indent, isMap: false });
    this.#isPending = true;
  }

  #key(text: string, end: number, indent: number): void {
    this.#closeTo(indent);
    if (this.#levels.at(-1)?.indent === indent && this.#levels.at(-1)?.isMap === false) this.#close();
    if (this.#levels.at(-1)?.indent === indent) this.#settle();
    else this.#open({ indent, isMap: true });
    this.#visitor.key(withoutQuotes(text.slice(0, end).trim()));
    this.#isPending = true;
    const value = text.slice(end + 1).trim();
    if (value !== "" && !value.startsWith("#")) this.#value(value, indent);
  }

  /** The content after a key or dash, or below it. */
  #value(text: string, indent: number): void {
    if (this.#plainText !== null) {
      if (this.#plainText.length < LONGEST_PLAIN) this.#plainText += ` ${text}`;
      return;
    }
    if (!this.#isPending && this.#levels.length > 0) {
      this.strayLines++;
      return;
    }
    const value = text.replace(/^(?:[&!][^\s]*\s*)+/, "");
    if (value === "") return;
    const first = value.charAt(0);
    if (first === "|" || first === ">") this.#block = Math.min(indent, this.#levels.at(-1)?.indent ?? -1);
    else if (first === "{" || first === "[" || first === '"' || first === "'") this.#startFlow(value);
    else this.#plain(value);
  }

  #plain(value: string): void {
    const comment = value.indexOf(" #");
    const text = (comment < 0 ? value : value.slice(0, comment)).trim();
    if (text.startsWith("*")) this.#scalar("text", "", text.length);
    else if (text === "~") this.#scalar("empty", "", 0);
    else this.#plainText = text;
  }

  #startFlow(value: string): void {
    this.#flow = "";
    this.#tracker = new FlowTracker();
    this.#addFlow(value);
  }

  #addFlow(text: string): void {
    const end = this.#tracker.end(text);
    const flow = `${this.#flow ?? ""}${end < 0 ? `${text} ` : text.slice(0, end)}`;
    this.#flow = end < 0 && flow.length <= LONGEST_FLOW ? flow : null;
    if (end >= 0) {
      this.#isPending = false;
      visitFlow(flow, this.#visitor);
    } else if (this.#flow === null) this.#scalar("text", "", flow.length);
  }

  #inBlock(line: string, indent: number): boolean {
    if (indent >= 0 && indent <= (this.#block ?? -1)) {
      this.#endBlock();
      return false;
    }
    if (this.#blockText.length < 256) this.#blockText += `${line.trim().slice(0, 256)} `;
    this.#blockLength += line.length + 1;
    return true;
  }

  #endBlock(): void {
    if (this.#block === null) return;
    this.#block = null;
    const text = this.#blockText.trim();
    this.#scalar("text", text, Math.max(text.length, this.#blockLength));
    this.#blockText = "";
    this.#blockLength = 0;
  }

  #scalar(type: ValueType, text: string, length: number): void {
    this.#isPending = false;
    this.#plainText = null;
    this.#visitor.scalar(type, text, length);
  }

  /** Ends the text after a key; a key without text has no value. */
  #settle(): void {
    const text = this.#plainText;
    if (text !== null) this.#scalar(valueType(text), text, text.length);
    else if (this.#isPending) this.#scalar("empty", "", 0);
  }

  #open(level: Level): void {
    if (this.#plainText !== null) this.#settle();
    this.#isPending = false;
    this.#levels.push(level);
    if (level.isMap) this.#visitor.beginObject();
    else this.#visitor.beginArray();
  }

  #close(): void {
    this.#settle();
    this.#levels.pop();
    this.#visitor.end();
  }

  /** Closes all levels that are indented further. */
  #closeTo(indent: number): void {
    for (let top = this.#levels.at(-1); top !== undefined && top.indent > indent; top = this.#levels.at(-1))
      this.#close();
  }
}

/** The position of a key's colon; -1 if the text is not a key. */
function keyEnd(text: string): number {
  const quote = text.charAt(0);
  if (quote === '"' || quote === "'") {
    const close = new FlowTracker().end(text);
    return close >= 0 && /^\s*:(?:\s|$)/.test(text.slice(close)) ? text.indexOf(":", close) : -1;
  }
  if (quote === "{" || quote === "[" || quote === "|" || quote === ">" || quote === "#") return -1;
  const at = text.search(/:(?:\s|$)/);
  const comment = text.indexOf(" #");
  return comment >= 0 && comment < at ? -1 : at;
}
