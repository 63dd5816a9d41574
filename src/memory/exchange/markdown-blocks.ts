/**
 * A Markdown file of notes as blocks: list items with nested lines, and paragraphs, each with its
 * heading. Lines without a sentence form a block with the reason why it is skipped, so that every line of the file
 * is in a block, is a heading or is empty.
 */
import type { Lines } from "./imported-memory.ts";

export interface Block {
  readonly line: number;
  readonly kind: "item" | "paragraph" | "front-matter" | "passed-over";
  /** Without list markers; nested lines are unchanged. */
  readonly lines: readonly string[];
  /** The nearest heading above; empty without one. */
  readonly heading: string;
  /** Set for `passed-over`. */
  readonly reason?: string;
}

const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/;
const ITEM = /^( {0,3})(?:[-*+]|\d{1,9}[.)])(?:\s+|$)/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const RULE = /^ {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,}|=+)$/;

interface Open {
  readonly line: number;
  readonly kind: Block["kind"];
  readonly lines: string[];
  readonly reason?: string;
  /** Its last line, if it does not end like other blocks. */
  readonly until?: (line: string) => boolean;
}

export async function* markdownBlocks(lines: Lines): AsyncGenerator<Block> {
  let number = 0;
  let heading = "";
  let open: Open | undefined;
  for await (const whole of lines) {
    number += 1;
    const line = (number === 1 ? whole.replace(/^\ufeff/, "") : whole).trimEnd();
    if (open !== undefined && continues(open, line)) {
      open.lines.push(line);
      if (open.until?.(line) !== true) continue;
      yield closed(open, heading);
      open = undefined;
      continue;
    }
    if (open !== undefined) yield closed(open, heading);
    heading = HEADING.exec(line)?.[2] ?? heading;
    open = opened(line, number);
  }
  if (open !== undefined) yield closed(open, heading);
}

function continues(open: Open, line: string): boolean {
  if (open.until !== undefined) return true;
  if (open.kind === "item") return line === "" || /^(?: {2,}|\t)/.test(line) || isProse(line, open);
  return line !== "" && open.kind === "paragraph" && isProse(line, open);
}

/** Whether the line continues the sentence: no empty line before it, and it does not begin another block. */
function isProse(line: string, { lines }: Open): boolean {
  return (
    lines.at(-1) !== "" && ![HEADING, ITEM, FENCE, RULE, /^\s*(?:<!--|\|)/].some((mark) => mark.test(line))
  );
}

function opened(line: string, number: number): Open | undefined {
  if (number === 1 && line === "---")
    return { line: number, kind: "front-matter", lines: [], until: (next) => next === "---" };
  if (line === "" || HEADING.test(line) || RULE.test(line)) return undefined;
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) return { ...passedOver(number, "is a block of code"), until: closesFence(fence) };
  if (/^\s*<!--/.test(line)) return comment(line, number);
  if (/^\s*\|/.test(line)) return passedOver(number, "is a row of a table");
  if (ITEM.test(line)) return { line: number, kind: "item", lines: [line.replace(ITEM, "")] };
  return { line: number, kind: "paragraph", lines: [line.replace(/^\s*>\s?/, "").trim()] };
}

function passedOver(line: number, reason: string): Open {
  return { line, kind: "passed-over", lines: [], reason };
}

function closesFence(fence: string): (line: string) => boolean {
  return (line) => line.trim().startsWith(fence) && /^[`~]+$/.test(line.trim());
}

function comment(line: string, number: number): Open {
  const open = passedOver(number, "is a comment");
  return line.includes("-->") ? open : { ...open, until: (next) => next.includes("-->") };
}

function closed({ line, kind, lines, reason }: Open, heading: string): Block {
  return { line, kind, lines, heading, ...(reason === undefined ? {} : { reason }) };
}
