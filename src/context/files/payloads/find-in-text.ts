/**
 * Finds content too large for the context in a person's text: files in `<file>` blocks, and pasted text. Both
 * ends of a paste stay in place, because the person's request comes before or after it.
 */
import { wholeCharacters } from "../../../text/cut-text.ts";
import { type FileBlock, findFileBlocks } from "./find-file-blocks.ts";

export interface FoundInText {
  readonly start: number;
  readonly end: number;
  /** Including the surrounding tags, which mean nothing without it. */
  readonly outerStart: number;
  readonly outerEnd: number;
  /** The part that a reference replaces in the context. */
  readonly hiddenStart: number;
  readonly hiddenEnd: number;
  readonly name: string | null;
  readonly mime: string | null;
}

/** Characters that stay visible at each end of a paste. */
const KEPT = 500;
/** A shorter part between them is not worth a reference. */
const SHORTEST = 2_000;
/** Characters that the visible part may lose, so that the cut is at a line end. */
const SLACK = 200;

/** In the order of the text, not nested. */
export function findInText(
  text: string,
  isLarge: (text: string) => boolean,
  takesPastes: boolean,
): FoundInText[] {
  const blocks = findFileBlocks(text);
  const found: FoundInText[] = [];
  let from = 0;
  for (const block of [...blocks, null]) {
    const to = block?.start ?? text.length;
    if (takesPastes && isLarge(text.slice(from, to))) found.push(...pasteIn(text, from, to));
    if (block === null) break;
    if (isLarge(text.slice(block.contentStart, block.contentEnd))) found.push(attached(block));
    from = block.end;
  }
  return found;
}

function attached({ start, end, contentStart, contentEnd, name, mime }: FileBlock): FoundInText {
  return {
    ...{ start: contentStart, end: contentEnd, outerStart: start, outerEnd: end },
    ...{ hiddenStart: contentStart, hiddenEnd: contentEnd, name, mime },
  };
}

/** Empty if the text between the ends would be shorter than its reference. */
function pasteIn(text: string, from: number, to: number): FoundInText[] {
  const hiddenStart = headEnd(text, from + KEPT);
  const hiddenEnd = tailStart(text, to - KEPT);
  if (hiddenEnd - hiddenStart <= SHORTEST) return [];
  const whole = { start: from, end: to, outerStart: from, outerEnd: to };
  return [{ ...whole, hiddenStart, hiddenEnd, name: null, mime: null }];
}

/** After a line feed, so that the reference begins a line. */
function headEnd(text: string, at: number): number {
  const lineFeed = text.slice(at - SLACK, at).lastIndexOf("\n");
  return lineFeed < 0 ? wholeCharacters(text, at) : at - SLACK + lineFeed + 1;
}

/** Before a line feed, so that the reference ends a line. */
function tailStart(text: string, at: number): number {
  const lineFeed = text.slice(at, at + SLACK).indexOf("\n");
  return lineFeed < 0 ? wholeCharacters(text, at) : at + lineFeed;
}
