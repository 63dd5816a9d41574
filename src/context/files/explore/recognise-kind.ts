/**
 * Detects what kind of text a file is. The content decides if it is unambiguous (JSON parses, a diff has its headers, XML its
 * declaration); name and type decide between similar kinds, such as code and prose.
 */

import { languageOf } from "./code/languages.ts";
import { looksLikeCsv } from "./csv/detect-dialect.ts";
import type { Beginning, Kind } from "./exploration.ts";
import { jsonKindOf } from "./json/json-kind.ts";
import { findLevel } from "./log/find-level.ts";
import { TimeFinder } from "./log/find-time.ts";

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

function extensionOf(name: string | null): string {
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

const LINES_LOOKED_AT = 200;

/** Lines that begin with a time or a level. Continuation lines (stack traces) are indented or few. */
function looksLikeLog(head: string, isNamedSo: boolean): boolean {
  const lines = head
    .split("\n")
    .slice(0, LINES_LOOKED_AT)
    .filter((line) => /\S/.test(line));
  if (lines.length < (isNamedSo ? 1 : 3)) return false;
  const times = new TimeFinder();
  const entries = lines.filter((line) => isEntry(line, times)).length;
  const indented = lines.filter((line) => /^\s/.test(line)).length;
  return entries >= (lines.length - indented) * (isNamedSo ? 0.3 : 0.6) && entries >= lines.length * 0.15;
}

/** A time after two separators is a field of a table; a level counts only at the very beginning. */
function isEntry(line: string, times: TimeFinder): boolean {
  const found = times.find(line);
  if (found === null) return /^\W{0,2}[A-Z]/.test(line) && findLevel(line.slice(0, 12)) !== null;
  return found.end < 90 && !/^[^,;\t]*[,;\t].*[,;\t]/.test(line.slice(0, found.end + 1));
}

const SIGNS = [
  /^#{1,6} \S|^\p{L}[^\n]{0,120}\n(?:={3,}|-{3,})[ \t]*$/gmu,
  /^```/gm,
  /^\s*[-*] \S/gm,
  /\[[^\]\n]{1,100}\]\([^)\n]{1,200}\)/g,
  /\*\*[^*\n]{1,100}\*\*/g,
  /^\|.*\|$/gm,
];

/** Headings, fences, lists, links: at least two kinds of marks, one of them a heading or a fence. */
function looksLikeMarkdown(head: string): boolean {
  const found = SIGNS.map((sign) => head.match(sign)?.length ?? 0);
  const [headings = 0, fences = 0] = found;
  return headings + fences >= 2 && found.filter((times) => times > 0).length >= 2;
}

const KEY =
  /^\s*(?:- +)*(?:"[^"]{1,80}"|'[^']{1,80}'|[\p{L}\p{N}_$/.<][^\s:#][^:#]{0,80}|[\p{L}\p{N}_]):(?:\s|$)/u;
const ENTRY = /^\s*-\s+\S/;

/** Keys and list entries make up most lines. Without a matching name: nearly all lines, with several keys. */
function looksLikeYaml(head: string, isNamedSo: boolean): boolean {
  const lines = head
    .slice(0, 20_000)
    .split("\n")
    .filter((line) => /^\s*[^\s#]/.test(line) && line.length < 2_000);
  const keys = lines.filter((line) => KEY.test(line)).length;
  const entries = lines.filter((line) => ENTRY.test(line) && !KEY.test(line)).length;
  if (isNamedSo) return keys + entries > 0;
  const isMarked = /^(?:%YAML|---\s*\n)/.test(head);
  const share = (keys + entries) / Math.max(1, lines.length);
  return isMarked
    ? share > 0.5 && keys > 0
    : lines.length >= 5 && keys >= 4 && share > 0.85 && keys > entries;
}
