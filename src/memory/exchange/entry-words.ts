/**
 * The words of a memory as an item of a Markdown list, and back. Every line of them is indented, so that nothing in
 * them is parsed as part of the file. The format is for reading: spaces at line ends, carriage returns and control
 * characters are lost, so callers that need exact words compare the parsed words with the original.
 */
import type { MemoryText } from "../../memory-types.ts";
import { escapeControls, oneLine } from "../../text/escape-controls.ts";

const INDENT = "  ";
/** Between the overview and the full narrative. */
const IN_FULL = "<!-- in full -->";
const BULLET = /^[-*+](?:\s+|$)/;
/** A line that does not continue the sentence: a list, a heading, a quotation, a fence, a comment. */
const BLOCK_START = /^(?:[-*+]\s|\d+[.)]\s|#{1,6}\s|>|```|~~~|<!--|\|)/;

export function renderWords({ abstract, overview, content }: MemoryText): string[] {
  return [
    `- ${oneLine(abstract)}`,
    ...(overview === "" ? [] : ["", ...indented(overview)]),
    ...(content === "" ? [] : ["", INDENT + IN_FULL, "", ...indented(content)]),
  ];
}

function indented(text: string): string[] {
  return escapeControls(text)
    .split("\n")
    .map((line) => (line === "" ? "" : INDENT + line));
}

export function isBullet(line: string): boolean {
  return BULLET.test(line);
}

export function parseWords([first = "", ...rest]: readonly string[]): MemoryText {
  const body = rest.map((line) => dedented(line).trimEnd());
  const bodyStart = body.findIndex((line) => line === "" || BLOCK_START.test(line.trimStart()));
  const sentence = bodyStart < 0 ? body : body.slice(0, bodyStart);
  const parts = bodyStart < 0 ? [] : body.slice(bodyStart);
  const separator = parts.indexOf(IN_FULL);
  return {
    abstract: [first.replace(BULLET, ""), ...sentence]
      .map((piece) => piece.trim())
      .join(" ")
      .trim(),
    overview: paragraphs(separator < 0 ? parts : parts.slice(0, separator)),
    content: separator < 0 ? "" : paragraphs(parts.slice(separator + 1)),
  };
}

function dedented(line: string): string {
  return line.replace(/^(?:\t| {1,2})/, "");
}

/** Without the empty lines around them. */
function paragraphs(lines: readonly string[]): string {
  const start = lines.findIndex((line) => line !== "");
  const end = lines.findLastIndex((line) => line !== "");
  return start < 0 ? "" : lines.slice(start, end + 1).join("\n");
}
