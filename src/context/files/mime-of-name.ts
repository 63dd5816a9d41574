/** The MIME type by file name, for the most common attachments. */
import path from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".csv": "text/csv",
  ".html": "text/html",
  ".json": "application/json",
  ".jsonl": "application/jsonl",
  ".log": "text/plain",
  ".md": "text/markdown",
  ".pdf": "application/pdf",
  ".tsv": "text/tab-separated-values",
  ".txt": "text/plain",
  ".xml": "application/xml",
  ".yaml": "application/yaml",
  ".yml": "application/yaml",
};

export function mimeOfName(name: string | null): string | null {
  return name === null ? null : (TYPES[path.extname(name).toLowerCase()] ?? null);
}
