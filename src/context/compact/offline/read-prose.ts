/** Sentences of a message as somebody would quote them: without code, markup, rulers and tables of numbers. */
import { clip } from "../../../text/cut-text.ts";
import { hideBase64 } from "../../../text/hide-base64.ts";
import { isReadable } from "../../../text/language/is-readable.ts";
import { plainLine, withoutEmphasis } from "../../../text/language/plain-line.ts";
import { splitSentences } from "../../../text/language/split-sentences.ts";
import { isHostMarkup } from "../host-markup.ts";

export interface Prose {
  readonly sentences: readonly string[];
  readonly headings: readonly string[];
}

/** Longer sentences are listings or run-ons; their beginning is kept. */
const LONGEST = 420;
const FENCE = /^\s*(```|~~~)/;
const HEADING = /^\s{0,3}#{1,6}\s+(.*)$/;
const ROW = /^\s*\|(.*)\|\s*$/;

export function readProse(text: string): Prose {
  const headings: string[] = [];
  const lines: string[] = [];
  let isCode = false;
  for (const line of hideBase64(text).split("\n")) {
    if (FENCE.test(line)) isCode = !isCode;
    else if (!isCode) addLine(line, lines, headings);
  }
  const sentences = splitSentences(lines.join("\n")).filter(isReadable);
  return { sentences: sentences.map((sentence) => clip(sentence, LONGEST)), headings };
}

function addLine(line: string, lines: string[], headings: string[]): void {
  const heading = HEADING.exec(line)?.[1];
  if (heading !== undefined) headings.push(withoutEmphasis(heading.trim()));
  else if (isHostMarkup(line)) lines.push("");
  else lines.push(plainLine(ROW.exec(line)?.[1] ?? line));
}
