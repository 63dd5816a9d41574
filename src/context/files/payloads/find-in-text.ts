/**
 * What is too large for the context in a text that somebody wrote: files in `<file>` blocks, and text that was pasted. Of
 * a paste both ends stay where they are, since what the person asks for stands before or behind it.
 */
import { wholeCharacters } from "../../../text/cut-text.ts";
import { type FileBlock, findFileBlocks } from "./find-file-blocks.ts";

export interface FoundInText {
  readonly start: number;
  readonly end: number;
  /** With what is about it and says nothing without it: its tags. */
  readonly outerStart: number;
  readonly outerEnd: number;
  /** What is between these is not in view where a reference stands. */
  readonly hiddenStart: number;
  readonly hiddenEnd: number;
  readonly name: string | null;
  readonly mime: string | null;
}

/** Characters that stay in view at each end of a paste. */
const KEPT = 500;
/** A shorter part between them is not worth a reference. */
const SHORTEST = 2_000;
/** How much less may stay, for the cut to be at the end of a line. */
const SLACK = 200;

/** In the order of the text, none inside another. */
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

/** Nothing when what is left between the ends would be shorter than what stands for it. */
function pasteIn(text: string, from: number, to: number): FoundInText[] {
  const hiddenStart = headEnd(text, from + KEPT);
  const hiddenEnd = tailStart(text, to - KEPT);
  if (hiddenEnd - hiddenStart <= SHORTEST) return [];
  const whole = { start: from, end: to, outerStart: from, outerEnd: to };
  return [{ ...whole, hiddenStart, hiddenEnd, name: null, mime: null }];
}

/** Behind a line feed, so that the reference begins a line. */
function headEnd(text: string, at: number): number {
  const lineFeed = text.slice(at - SLACK, at).lastIndexOf("\n");
  return lineFeed < 0 ? wholeCharacters(text, at) : at - SLACK + lineFeed + 1;
}

/** Before a line feed, so that it ends one. */
function tailStart(text: string, at: number): number {
  const lineFeed = text.slice(at, at + SLACK).indexOf("\n");
  return lineFeed < 0 ? wholeCharacters(text, at) : at + lineFeed;
}
