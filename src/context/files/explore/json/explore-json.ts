/** JSON, one value or one a line: the shape of all its values. */
import { count, counted } from "../../../../text/counted.ts";
import type { Findings, Reading } from "../exploration.ts";
import { describeShape } from "../shape/describe-shape.ts";
import { ShapeBuilder } from "../shape/shape-builder.ts";
import { JsonScanner } from "./scan-json.ts";

export class JsonReading implements Reading {
  readonly #isByLine: boolean;
  readonly #shape = new ShapeBuilder();
  readonly #scanner: JsonScanner;

  constructor(isByLine: boolean) {
    this.#isByLine = isByLine;
    this.#scanner = new JsonScanner(this.#shape, isByLine);
  }

  get isDone(): boolean {
    return this.#scanner.isStopped;
  }

  write(text: string): void {
    this.#scanner.write(text);
  }

  finish(): Findings {
    this.#scanner.finish();
    return {
      kind: this.#isByLine ? "jsonl" : "json",
      label: this.#label(),
      facts: this.#facts(),
      sections: describeShape(this.#shape.root),
    };
  }

  #label(): string {
    if (this.#isByLine) return "JSON Lines";
    const name = this.#scanner.hasComments ? "JSON with comments" : "JSON";
    return this.#scanner.firstBreak === null ? name : `Broken ${name}`;
  }

  #facts(): string[] {
    const { roots, brokenLines, firstBreak } = this.#scanner;
    const facts: string[] = [];
    if (this.#isByLine) facts.push(counted(roots, "record"));
    else if (roots > 1) facts.push(`${count(roots)} values one after another`);
    facts.push(`nested ${counted(this.#shape.deepest, "level")} deep`);
    if (firstBreak === null) return facts;
    const place = `line ${count(firstBreak.line)}`;
    if (this.#isByLine) facts.push(`${counted(brokenLines, "broken line")}, the first at ${place}`);
    else
      facts.push(
        `breaks at ${place}, character ${count(firstBreak.offset)}, where ${firstBreak.expected} was expected; only the part before it is described`,
      );
    return facts;
  }
}
