/**
 * The `<file name="…" mime="…">…</file>` blocks in a text. Openings and endings are counted, so that a file which holds
 * blocks itself is one block; an opening that is never closed is text like any other, and so is an ending without an
 * opening. Each character is looked at a bounded number of times, whatever the text.
 */
import { parseFileTag } from "./parse-file-tag.ts";

export interface FileBlock {
  /** Of the whole block, tags included. */
  readonly start: number;
  readonly end: number;
  readonly contentStart: number;
  readonly contentEnd: number;
  readonly name: string;
  readonly mime: string | null;
}

interface Opening {
  readonly start: number;
  readonly end: number;
  /** Null for a tag that takes part in the counting but attaches no file. */
  readonly name: string | null;
  readonly mime: string | null;
}

const CLOSING = /^<\/file\s{0,100}>/i;
const LONGEST_CLOSING = 120;

/** In the order of the text, none inside another. */
export function findFileBlocks(text: string): FileBlock[] {
  const open: Opening[] = [];
  const closed: FileBlock[] = [];
  for (let at = nextTag(text, 0); at >= 0; ) {
    const end =
      text.charCodeAt(at + 1) === 47 ? readClosing(text, at, open, closed) : readOpening(text, at, open);
    at = nextTag(text, end);
  }
  return outermost(closed);
}

const TAG = /<\/?file/gi;

/** The next `<file` or `</file`, in letters of any case. */
function nextTag(text: string, from: number): number {
  TAG.lastIndex = from;
  return TAG.exec(text)?.index ?? -1;
}

function readOpening(text: string, at: number, open: Opening[]): number {
  const tag = parseFileTag(text, at);
  if (tag === null) return at + 1;
  if (!tag.isEmpty) open.push({ start: at, end: tag.end, name: tag.name, mime: tag.mime });
  return tag.end;
}

function readClosing(text: string, at: number, open: Opening[], closed: FileBlock[]): number {
  const closing = CLOSING.exec(text.slice(at, at + LONGEST_CLOSING))?.[0];
  if (closing === undefined) return at + 1;
  const end = at + closing.length;
  const opening = open.pop();
  if (opening !== undefined && opening.name !== null)
    closed.push({
      ...{ start: opening.start, end, contentStart: opening.end, contentEnd: at },
      ...{ name: opening.name, mime: opening.mime },
    });
  return end;
}

/** Blocks end in order, and an outer one ends after those inside of it. */
function outermost(closed: readonly FileBlock[]): FileBlock[] {
  const blocks: FileBlock[] = [];
  for (const block of closed) {
    while ((blocks.at(-1)?.start ?? -1) > block.start) blocks.pop();
    blocks.push(block);
  }
  return blocks;
}
