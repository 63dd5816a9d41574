/** For each kind of text what reads it. */
import { count, counted } from "../../../text/counted.ts";
import { CodeReading } from "./code/explore-code.ts";
import { CsvReading } from "./csv/explore-csv.ts";
import { DiffReading } from "./diff/explore-diff.ts";
import type { Beginning, Findings, Kind, Reading } from "./exploration.ts";
import { JsonReading } from "./json/explore-json.ts";
import { LineSplitter } from "./line-splitter.ts";
import { LogReading } from "./log/explore-log.ts";
import { NotebookReading } from "./notebook/explore-notebook.ts";
import { ProseReading } from "./prose/explore-prose.ts";
import { describeShape } from "./shape/describe-shape.ts";
import { ShapeBuilder } from "./shape/shape-builder.ts";
import { XmlReading } from "./xml/explore-xml.ts";
import { YamlScanner } from "./yaml/scan-yaml.ts";

export function startReading(kind: Kind, beginning: Beginning): Reading {
  switch (kind) {
    case "json":
      return new JsonReading(false);
    case "jsonl":
      return new JsonReading(true);
    case "csv":
      return new CsvReading(beginning);
    case "xml":
      return new XmlReading(beginning);
    case "yaml":
      return new YamlReading();
    case "log":
      return new LogReading();
    case "code":
      return new CodeReading(beginning);
    case "notebook":
      return new NotebookReading();
    case "diff":
      return new DiffReading();
    default:
      return new ProseReading(kind);
  }
}

/** YAML of any size: the shape of its documents. */
class YamlReading implements Reading {
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
