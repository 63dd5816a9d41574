/**
 * What kind of text a file is. The content decides where it is clear (JSON parses, a diff has its headers, XML its
 * declaration); name and type decide among kinds that look alike, such as code and prose.
 */
import { languageOf } from "./code/languages.ts";
import { looksLikeCsv } from "./csv/detect-dialect.ts";
import type { Beginning, Kind } from "./exploration.ts";
import { jsonKindOf } from "./json/json-kind.ts";
import { looksLikeLog } from "./log/looks-like-log.ts";
import { looksLikeMarkdown } from "./prose/looks-like-markdown.ts";
import { looksLikeYaml } from "./yaml/looks-like-yaml.ts";

export function recogniseKind(beginning: Beginning): Kind {
  const { head } = beginning;
  const extension = extensionOf(beginning.name);
  if (head.trim() === "" && beginning.isWhole) return "empty";
  const json = jsonKindOf(beginning, isJsonName(extension, beginning.mime));
  if (json !== null) return json;
  if (looksLikeXml(head)) return "xml";
  if (looksLikeDiff(head)) return "diff";
  if (looksLikeLog(head, extension === "log")) return "log";
  if (languageOf(beginning) !== null) return "code";
  return kindOfText(head, extension, beginning.mime);
}

function kindOfText(head: string, extension: string, mime: string | null): Kind {
  if (extension === "md" || extension === "markdown" || mime === "text/markdown") return "markdown";
  const isTable = extension === "csv" || extension === "tsv" || mime === "text/csv";
  if (looksLikeCsv(head, isTable)) return "csv";
  if (looksLikeYaml(head, extension === "yaml" || extension === "yml" || (mime ?? "").includes("yaml")))
    return "yaml";
  return looksLikeMarkdown(head) ? "markdown" : "text";
}

export function extensionOf(name: string | null): string {
  return /\.([\p{L}\p{N}_+-]{1,12})$/u.exec(name ?? "")?.[1]?.toLowerCase() ?? "";
}

function isJsonName(extension: string, mime: string | null): boolean {
  return (
    /^(json|jsonl|ndjson|json5|jsonc|geojson|ipynb|webmanifest|har|map)$/.test(extension) ||
    /\bjson\b/.test(mime ?? "")
  );
}

function looksLikeXml(head: string): boolean {
  if (/^\s*<\?xml\s/.test(head)) return true;
  const [, name] =
    /^\s*(?:<!--[\s\S]{0,2000}?-->\s*)?(?:<!DOCTYPE[^>]{0,500}>\s*)?<([\p{L}_][\p{L}\p{N}_.:-]{0,80})(?=[\s/>])/u.exec(
      head,
    ) ?? [];
  return name !== undefined && (head.match(/<\/?[\p{L}_][^<>]{0,500}>/gu)?.length ?? 0) >= 2;
}

function looksLikeDiff(head: string): boolean {
  return (
    /^diff --git /m.test(head.slice(0, 4_000)) || /^--- \S.*\n\+\+\+ \S.*\n@@ -\d/m.test(head.slice(0, 8_000))
  );
}
