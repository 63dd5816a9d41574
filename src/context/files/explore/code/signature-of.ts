/**
 * The head of a definition as written, without parts of arbitrary content: literals, comments, and parameters
 * named like a password, with the text next to the name.
 */

import { announcesCredential } from "../../../../text/credentials/safe-to-show.ts";
import { collapseSpaces } from "../../../../text/spaces.ts";
import type { Node } from "./load-parser.ts";

const LONGEST = 240;
/** Values in signatures: defaults, literal types, sizes. */
const LITERAL =
  /string|char_literal|number|integer|float|regex|heredoc|comment|template_literal|(?:^|_)literal$/;
const PARAMETERS = /^(?:formal_|method_|class_|lambda_|bracketed_)?parameter(?:s|_list)$/;

export function signatureOf(node: Node, source: string, bodyStart = node.endIndex): string {
  const end = Math.min(bodyStart, node.startIndex + 4 * LONGEST);
  const pieces: string[] = [];
  let from = node.startIndex;
  for (const hidden of hiddenIn(node, source, end)) {
    pieces.push(source.slice(from, hidden.startIndex), hidden.type.includes("comment") ? "" : "…");
    from = hidden.endIndex;
  }
  if (from < end) pieces.push(source.slice(from, end));
  const text = collapseSpaces(pieces.join(""))
    .replace(/\s*(?:=>|=|\{|:|;|\bdo)?\s*$/, "")
    .trim();
  if (isBroken(node, end)) return onlyName(text);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** A syntax error: text may have been mistaken for names. */
function isBroken(node: Node, end: number): boolean {
  if (!node.hasError || node.startIndex >= end) return false;
  return (
    node.isError || node.isMissing || node.children.some((child) => child !== null && isBroken(child, end))
  );
}

function onlyName(text: string): string {
  const [head = ""] = /^(?:[\p{L}_$][\p{L}\p{N}_$]*\s?){1,2}/u.exec(text) ?? [];
  return `${head.trim()}…`;
}

/** Outermost nodes before the end that are hidden, in order. */
function hiddenIn(node: Node, source: string, end: number): Node[] {
  const found: Node[] = [];
  const waiting: { readonly at: Node; readonly isParameter: boolean }[] = [{ at: node, isParameter: false }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { at, isParameter } = next;
    if (at.startIndex >= end) continue;
    if (at !== node && at.isNamed && (LITERAL.test(at.type) || (isParameter && isAnnounced(at, source))))
      found.push(at);
    else
      for (const child of at.children.toReversed())
        if (child !== null) waiting.push({ at: child, isParameter: PARAMETERS.test(at.type) });
  }
  return found;
}

/** Decided by text outside of quotes, because quoted text is hidden anyway. */
function isAnnounced({ startIndex, endIndex }: Node, source: string): boolean {
  const text = source.slice(startIndex, Math.min(endIndex, startIndex + 4 * LONGEST));
  return announcesCredential(text.replaceAll(/(["'`]).*?\1/gs, ""));
}
