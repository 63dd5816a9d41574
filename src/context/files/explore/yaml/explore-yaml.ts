/** YAML of any size: the shape of its documents. */
import { count, counted } from "../../../../text/counted.ts";
import type { Findings, Reading } from "../exploration.ts";
import { LineSplitter } from "../line-splitter.ts";
import { describeShape } from "../shape/describe-shape.ts";
import { ShapeBuilder } from "../shape/shape-builder.ts";
import { YamlScanner } from "./scan-yaml.ts";

export class YamlReading implements Reading {
  readonly isDone = false;
  readonly #shape = new ShapeBuilder();
  readonly #scanner = new YamlScanner(this.#shape);
  readonly #lines = new LineSplitter((line) => this.#scanner.line(line));

  write(text: string): void {
    this.#lines.write(text);
  }

  finish(): Findings {
    this.#lines.finish();
    this.#scanner.finish();
    const { documents, strayLines } = this.#scanner;
    const facts = documents > 1 ? [`${count(documents)} documents`] : [];
    facts.push(`nested ${counted(this.#shape.deepest, "level")} deep`);
    if (strayLines > 0) facts.push(`${counted(strayLines, "line")} outside of any structure`);
    return { kind: "yaml", label: "YAML", facts, sections: describeShape(this.#shape.root) };
  }
}
