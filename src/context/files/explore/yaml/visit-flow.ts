/** Flow collections of YAML, `{a: 1, b: [x, "y"]}`, and quoted texts. */
import type { StructureVisitor } from "../shape/shape-builder.ts";
import { valueType } from "../value-type.ts";

const TOKEN =
  /[{}[\],]|:(?=[\s,}\]]|$)|"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|(?:[^\s{}[\],:"']|:(?=[^\s,}\]]))(?:[^{}[\],:]|:(?=[^\s,}\]]))*/gs;

export function visitFlow(flow: string, visitor: StructureVisitor): void {
  const visit = new FlowVisit(visitor);
  for (const { 0: token } of flow.matchAll(TOKEN)) visit.token(token.trim());
  visit.finish();
}

/** A text is a key only if a colon follows, so it waits for the next token. */
class FlowVisit {
  readonly #visitor: StructureVisitor;
  readonly #open: boolean[] = [];
  #held: string | null = null;
  #hasKey = false;

  constructor(visitor: StructureVisitor) {
    this.#visitor = visitor;
  }

  token(token: string): void {
    if (token === "{" || token === "[") this.#begin(token === "{");
    else if (token === "}" || token === "]") this.#end();
    else if (token === ",") this.#settle();
    else if (token === ":") this.#key();
    else this.#held = token;
  }

  finish(): void {
    this.#settle();
    while (this.#open.length > 0) this.#end();
  }

  #begin(isMap: boolean): void {
    if (this.#isInMap && !this.#hasKey) this.#visitor.key("");
    this.#hasKey = false;
    this.#held = null;
    this.#open.push(isMap);
    if (isMap) this.#visitor.beginObject();
    else this.#visitor.beginArray();
  }

  #end(): void {
    this.#settle();
    if (this.#open.pop() !== undefined) this.#visitor.end();
  }

  #key(): void {
    if (!this.#isInMap || this.#held === null) return;
    this.#visitor.key(withoutQuotes(this.#held));
    this.#held = null;
    this.#hasKey = true;
  }

  /** The waiting text is a value, a key without a value, or a list entry. */
  #settle(): void {
    if (this.#isInMap && !this.#hasKey) {
      if (this.#held !== null) this.#visitor.key(withoutQuotes(this.#held));
      if (this.#held !== null) this.#visitor.scalar("empty", "", 0);
    } else if (this.#held !== null) this.#tell(this.#held);
    else if (this.#hasKey) this.#visitor.scalar("empty", "", 0);
    this.#held = null;
    this.#hasKey = false;
  }

  get #isInMap(): boolean {
    return this.#open.at(-1) === true;
  }

  #tell(text: string): void {
    const plain = withoutQuotes(text);
    const type = valueType(plain);
    const isText = plain !== text && type !== "date";
    this.#visitor.scalar(isText ? "text" : type, plain.slice(0, 256), plain.length);
  }
}

export function withoutQuotes(text: string): string {
  return text.length > 1 && /^["']/.test(text) && text.endsWith(text.charAt(0)) ? text.slice(1, -1) : text;
}
