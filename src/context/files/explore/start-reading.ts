/** The reader for each kind of text. */
import { CodeReading } from "./code/explore-code.ts";
import { CsvReading } from "./csv/explore-csv.ts";
import { DiffReading } from "./diff/explore-diff.ts";
import type { Beginning, Kind, Reading } from "./exploration.ts";
import { JsonReading } from "./json/explore-json.ts";
import { LogReading } from "./log/explore-log.ts";
import { NotebookReading } from "./notebook/explore-notebook.ts";
import { ProseReading } from "./prose/explore-prose.ts";
import { XmlReading } from "./xml/explore-xml.ts";
import { YamlReading } from "./yaml/explore-yaml.ts";

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
