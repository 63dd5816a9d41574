/** XML and HTML: root, elements by place with counts, attributes and text, depth, namespaces. */
import { count, counted } from "../../../../text/counted.ts";
import { isPlainSentence } from "../../../../text/credentials/safe-to-show.ts";
import type { Beginning, Findings, Reading } from "../exploration.ts";
import { describeElements } from "./describe-elements.ts";
import { Element } from "./element.ts";
import { XmlScanner } from "./scan-xml.ts";

const DEEPEST_DESCRIBED = 1_000;
const MOST_ELEMENTS = 2_000;
const MOST_NAMESPACES = 12;
const ATTRIBUTE = /([^\s=/"'<>]{1,100})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/g;
/** HTML elements without an end tag. */
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;

export class XmlReading implements Reading {
  readonly isDone = false;
  readonly #isHtml: boolean;
  readonly #document = new Element("", null);
  readonly #budget = { left: MOST_ELEMENTS };
  /** The open elements that are described; deeper ones are only counted. */
  readonly #open: Element[] = [this.#document];
  #depth = 0;
  #deepest = 0;
  #elements = 0;
  #roots = 0;
  #mismatched = 0;
  readonly #namespaces = new Set<string>();
  readonly #scanner = new XmlScanner({
    openTag: (inside, isEmpty) => this.#openTag(inside, isEmpty),
    closeTag: (name) => this.#closeTag(name),
    text: (text, length) => this.#text(text, length),
  });

  constructor({ head, name }: Beginning) {
    this.#isHtml = /<(?:!doctype\s+)?html[\s>]/i.test(head.slice(0, 2_000)) || /\.html?$/i.test(name ?? "");
  }

  write(text: string): void {
    this.#scanner.write(text);
  }

  finish(): Findings {
    this.#scanner.finish();
    const sections = describeElements(this.#document);
    if (this.#namespaces.size > 0)
      sections.push({ lead: "Namespaces:", items: [...this.#namespaces], layout: "inline", share: 0.1 });
    return { kind: "xml", label: this.#isHtml ? "HTML" : "XML", facts: this.#facts(), sections };
  }

  #openTag(inside: string, isEmpty: boolean): void {
    const name = /^[^\s/>]{0,200}/.exec(inside)?.[0] ?? "";
    this.#elements++;
    if (this.#depth === 0) this.#roots++;
    const isVoid = isEmpty || (this.#isHtml && VOID.test(name));
    const element = this.#place(this.#isHtml ? name.toLowerCase() : name);
    if (element !== null) {
      element.count++;
      this.#attributes(element, inside.slice(name.length));
    }
    if (isVoid) {
      if (this.#depth + 1 > this.#deepest) this.#deepest = this.#depth + 1;
      return;
    }
    this.#depth++;
    if (this.#depth > this.#deepest) this.#deepest = this.#depth;
    if (element !== null) this.#open.push(element);
  }

  /** Null below the described levels, and for everything inside. */
  #place(name: string): Element | null {
    if (this.#open.length !== this.#depth + 1 || this.#depth >= DEEPEST_DESCRIBED) return null;
    return this.#open.at(-1)?.child(name, this.#budget) ?? null;
  }

  #attributes(element: Element, text: string): void {
    for (const [, name = "", double, single, bare] of text.matchAll(ATTRIBUTE)) {
      const value = double ?? single ?? bare ?? "";
      if (name === "xmlns" || name.startsWith("xmlns:")) this.#namespace(name, value);
      else element.addAttribute(name, value);
    }
  }

  #namespace(name: string, value: string): void {
    if (this.#namespaces.size >= MOST_NAMESPACES || value.length > 120) return;
    const prefix = name === "xmlns" ? "default" : name.slice("xmlns:".length);
    if (isPlainSentence(`${prefix} ${value}`)) this.#namespaces.add(`${prefix} = ${value}`);
  }

  #closeTag(name: string): void {
    if (this.#depth === 0) {
      this.#mismatched++;
      return;
    }
    const isDescribed = this.#open.length === this.#depth + 1;
    const open = isDescribed ? this.#open.at(-1) : undefined;
    if (open !== undefined && open.name.toLowerCase() !== name.toLowerCase()) {
      this.#mismatched++;
      if (!this.#isHtml || !this.#isOpen(name)) return;
      while (this.#open.at(-1)?.name !== name.toLowerCase()) this.#leave();
    }
    if (this.#open.length === this.#depth + 1) this.#open.pop();
    this.#depth--;
  }

  #leave(): void {
    this.#open.pop();
    this.#depth--;
  }

  #isOpen(name: string): boolean {
    return this.#open.some((element) => element.name === name.toLowerCase());
  }

  #text(text: string, length: number): void {
    const element = this.#open.length === this.#depth + 1 ? this.#open.at(-1) : undefined;
    const trimmed = text.trim();
    if (element !== undefined && trimmed !== "")
      element.text.add(trimmed, Math.max(trimmed.length, length - text.length));
  }

  #facts(): string[] {
    const facts = [counted(this.#elements, "element"), `nested ${counted(this.#deepest, "level")} deep`];
    if (this.#roots > 1) facts.push("several elements at the top instead of one root");
    if (this.#mismatched > 0)
      facts.push(`${counted(this.#mismatched, "closing tag")} without an opening one`);
    if (this.#scanner.isCutOff) facts.push("ends inside a tag or comment");
    else if (this.#depth > 0) facts.push(`${count(this.#depth)} left open at the end`);
    return facts;
  }
}
