/**
 * Sentences that a tool printed and that tell of an error or a finding: a note, a log line, a commit's subject. Code,
 * hits of a search, tables and rulers are passed over.
 */

import { clip } from "../../../text/cut-text.ts";
import { characterClass, SEPARATOR, UNSPACED } from "../../../text/language/character-class.ts";
import { CUE } from "../../../text/language/cues.ts";
import { plainLine } from "../../../text/language/plain-line.ts";
import { readCues } from "../../../text/language/read-cues.ts";
import { outputLines } from "./output-lines.ts";
import type { ToolEvent } from "./tool-event.ts";

const LONGEST = 220;
const SHORTEST = 16;
/** Of each output the first and last sentences are candidates; what stands between is behind the last line. */
const FROM_START = 8;
const FROM_END = 4;
/** Lines looked at from each end of an output. */
const SEARCHED = 120;
const CODE =
  /[{}=<>\\|$]|^[\s\d→:]*(?:\/\/|\/\*|\*|#|"|'|package |#include|import |from |def |class |func |function |const |let |var |return|@)|[,(;[]\s*$|^\s*at /;

/** `src/a.ts:12:`, `src/a.ts-12-`, a comment behind code, and verdicts of test runners on single tests. */
const HIT = /^\d+: |^[\w./@+-]+[:-]\d+[:-]|\s\/\/\s|^\s*--- |\w\(|^[\w.]+ := /;
const OBSERVED = CUE.error | CUE.finding;
const LINE_NUMBER = /^\s*\d+→/;

export function toolLines({ output }: ToolEvent): string[] {
  const lines = outputLines(output);
  const first = sentencesOf(lines.slice(0, SEARCHED)).slice(0, FROM_START);
  const last =
    lines.length <= SEARCHED ? [] : sentencesOf(lines.slice(-Math.min(SEARCHED, lines.length - SEARCHED)));
  return [...new Set([...first, ...last.slice(-FROM_END)])].map((line) => clip(line, LONGEST));
}

function sentencesOf(lines: readonly string[]): string[] {
  return lines
    .filter((line) => line.length <= 2_000 && !CODE.test(line) && !HIT.test(line))
    .map(plain)
    .filter((line) => isSentence(line) && (readCues(line) & OBSERVED) !== 0);
}

/** Without indentation and Markdown, and without the line numbers that a listing sets before an arrow. */
function plain(line: string): string {
  return plainLine(line.replace(LINE_NUMBER, "")).replace(/\s+/g, " ").trim();
}

/** Enough words of letters, and few other signs. */
function isSentence(line: string): boolean {
  if (line.length < SHORTEST) return false;
  let letters = 0;
  let spaces = 0;
  const end = Math.min(line.length, LONGEST);
  for (let i = 0; i < end; i++) {
    const unit = line.charCodeAt(i);
    if (unit === 0x20) spaces++;
    else if (unit > 0x39 && characterClass(unit) !== SEPARATOR) letters++;
  }
  const isUnspaced = characterClass(line.charCodeAt(line.length >> 1)) === UNSPACED;
  return letters >= 10 && letters >= (end - spaces) * 0.7 && (spaces >= 3 || isUnspaced);
}
