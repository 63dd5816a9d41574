/** Adds the heaviest anchors that a summary lost to it, in one short line. */

import { clip } from "../../text/cut-text.ts";
import type { CountTokens } from "../../text/estimate-tokens.ts";
import { collapseSpaces } from "../../text/spaces.ts";
import { ALSO, EXPAND } from "./format-lines.ts";
import type { SourceAnchor } from "./source-anchors.ts";

/** A longer rule or command is shortened: the index points to the source. */
const LONGEST = 160;
/** Times of day and single names mean little without their sentence. */
const TELLING = new Set(["constraint", "identifier", "path", "number", "date", "url", "command"]);
/** So do numbers without a unit. */
const BARE_NUMBER = /^[\d.,]+$/;

/**
 * A line `Also: …`, or empty if nothing fits into `maxTokens`: rules first, then the rest by weight. `mayShow` is called
 * only for anchors that fit.
 */
export function anchorIndex(
  missing: readonly SourceAnchor[],
  maxTokens: number,
  countTokens: CountTokens,
  mayShow: (anchor: SourceAnchor) => boolean = () => true,
): string {
  const shown = fitting(missing, maxTokens, countTokens, mayShow);
  return shown.length === 0 ? "" : indexLine(shown);
}

/** The summary with the index inserted before its last line. */
export function withAnchorIndex(summary: string, index: string): string {
  return index === "" ? summary : insertLine(summary, index);
}

function fitting(
  missing: readonly SourceAnchor[],
  maxTokens: number,
  countTokens: CountTokens,
  mayShow: (anchor: SourceAnchor) => boolean,
): string[] {
  const shown: string[] = [];
  const areSaid = missing.some(({ kind, isPrinted }) => kind === "identifier" && !isPrinted);
  let left = maxTokens - countTokens(`\n${ALSO} `);
  for (const anchor of missing) {
    if (left <= 0) break;
    if (!TELLING.has(anchor.kind) || BARE_NUMBER.test(anchor.text)) continue;
    // Whatever was only printed can be printed again, and says less than the names that somebody used.
    if (areSaid && anchor.isPrinted && anchor.kind === "identifier") continue;
    const text = clip(collapseSpaces(anchor.text).trim(), LONGEST);
    const cost = countTokens(`${text}; `);
    if (cost > left || !mayShow(anchor)) continue;
    shown.push(text);
    left -= cost;
  }
  while (shown.length > 0 && countTokens(`\n${indexLine(shown)}`) > maxTokens) shown.pop();
  return shown;
}

function indexLine(shown: readonly string[]): string {
  return `${ALSO} ${shown.join("; ")}`;
}

/** Before the line that must be last. */
function insertLine(summary: string, line: string): string {
  const at = summary.lastIndexOf(`\n${EXPAND}`);
  return at < 0 ? `${summary}\n${line}` : `${summary.slice(0, at)}\n${line}${summary.slice(at)}`;
}
