/** All elements at one place of a document: their number, attributes, text and children. */
import { detach } from "../detach.ts";
import { Values } from "../values.ts";

const MOST_CHILDREN = 120;
const MOST_ATTRIBUTES = 40;

export class Element {
  readonly name: string;
  readonly parent: Element | null;
  count = 0;
  readonly attributes = new Map<string, Values>();
  readonly children = new Map<string, Element>();
  /** Elements with further names that exceeded the limit. */
  uncounted = 0;
  readonly text = new Values();

  constructor(name: string, parent: Element | null) {
    this.name = name;
    this.parent = parent;
  }

  /** An element inside one of the same name is described with it, so nested lists do not add levels. */
  child(name: string, budget: { left: number }): Element | null {
    const known = this.children.get(name) ?? this.#ancestor(name);
    if (known !== null) return known;
    if (this.children.size >= MOST_CHILDREN || budget.left === 0) {
      this.uncounted++;
      return null;
    }
    budget.left--;
    const made = new Element(detach(name), this);
    this.children.set(made.name, made);
    return made;
  }

  #ancestor(name: string): Element | null {
    for (let at: Element | null = this; at !== null; at = at.parent) if (at.name === name) return at;
    return null;
  }

  addAttribute(name: string, value: string): void {
    let values = this.attributes.get(name);
    if (values === undefined) {
      if (this.attributes.size >= MOST_ATTRIBUTES) return;
      values = new Values();
      this.attributes.set(detach(name), values);
    }
    values.add(value);
  }
}
