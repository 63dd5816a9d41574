/**
 * The anchors of a text: items that can be looked up, typed, measured or obeyed, so that a summary can be checked against
 * its source without a model. Takes linear time for any text. Anchors are only extracted here: for the check see
 * `check-fidelity.ts`.
 */
import { termsOf } from "../../text/language/content-terms.ts";
import { CUE } from "../../text/language/cues.ts";
import { readCues } from "../../text/language/read-cues.ts";
import { splitSentences } from "../../text/language/split-sentences.ts";
import { collapseSpaces } from "../../text/spaces.ts";
import { type Anchor, anchor } from "./anchors/anchor.ts";
import { type KnownTokens, tokenAnchors } from "./anchors/token-anchors.ts";
import { maySetRule } from "./may-set-rule.ts";

export type { Anchor, AnchorKind } from "./anchors/anchor.ts";
export type { KnownTokens } from "./anchors/token-anchors.ts";

/** A longer sentence contains more than a rule. */
const LONGEST_RULE = 600;

/** Each anchor once, in order of first appearance; repetition increases the weight logarithmically. */
export function extractAnchors(text: string): readonly Anchor[] {
  return uniteAnchors([...literalAnchors(text), ...constraintAnchors(text)]);
}

/** All anchors except sentences: suitable for logs and listings, where `must` and `never` are not rules of the conversation. */
export function literalAnchors(text: string, known?: KnownTokens): Anchor[] {
  const found = tokenAnchors(text, known);
  for (const one of codeAnchors(text)) found.push(one);
  return found;
}

/** Sentences that state what must, must not or may only be done. */
export function constraintAnchors(prose: string): Anchor[] {
  const found: Anchor[] = [];
  // The last word of the text read may be cut off.
  if (prose.length <= LONGEST_RULE && !maySetRule(prose)) return found;
  for (const sentence of splitSentences(prose)) {
    const read = sentence.slice(0, LONGEST_RULE);
    if (!maySetRule(read) || (readCues(read) & CUE.constraint) === 0) continue;
    const terms = new Set(termsOf(read));
    if (terms.size >= 2) found.push(anchor("constraint", sentence, [...terms].join(" "), 4));
  }
  return found;
}

function uniteAnchors(anchors: readonly Anchor[]): Anchor[] {
  const first = new Map<string, Anchor>();
  const counts = new Map<string, number>();
  for (const one of anchors) {
    const id = `${one.kind} ${one.key}`;
    const known = first.get(id);
    if (known === undefined || known.weight < one.weight) first.set(id, one);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return [...first].map(([id, one]) => ({
    ...one,
    weight: one.weight * (1 + Math.log2(counts.get(id) ?? 1) / 4),
  }));
}

/** First words that mark a quoted line as a command. */
const PROGRAMS = new Set(
  "git npm npx pnpm yarn bun node deno python python3 pip pytest go cargo make docker kubectl curl wget ssh scp rsync cd ls cat grep rg sed awk find rm mv cp mkdir chmod sudo systemctl journalctl brew apt psql sqlite3 terraform gh tsc vitest jest".split(
    " ",
  ),
);
const QUOTED = /`([^`\n]{2,160})`/g;
const PROMPT = /^\s*\$ (\S[^\n]{1,300})$/gm;
const ARGUMENT = /\b(?:command|cmd): ?(\S[^\n]{1,300})/g;

/** Anchors longer than a token: code between backticks, and command lines. */
export function codeAnchors(text: string): Anchor[] {
  const found: Anchor[] = [];
  if (text.includes("`")) for (const match of text.matchAll(QUOTED)) addQuoted(match[1] ?? "", found);
  if (text.includes("$ ")) for (const match of text.matchAll(PROMPT)) addCommand(match[1] ?? "", found);
  if (text.includes("command:") || text.includes("cmd:"))
    for (const match of text.matchAll(ARGUMENT)) addCommand(match[1] ?? "", found);
  return found;
}

function addQuoted(code: string, found: Anchor[]): void {
  const text = code.trim();
  if (!text.includes(" ")) {
    if (/^[\p{L}_$][\p{L}\w$-]{2,}$/u.test(text))
      found.push(anchor("identifier", text, text.toLowerCase(), 1));
  } else if (PROGRAMS.has(text.slice(0, text.indexOf(" ")))) addCommand(text, found);
  else if (text.length <= 60) found.push(anchor("identifier", text, collapse(text), 1.2));
}

function addCommand(line: string, found: Anchor[]): void {
  const key = commandKey(line);
  if (key !== "") found.push(anchor("command", line.trim(), key, 1.2));
}

/** The first three words that are not options: the action and its object. */
export function commandKey(line: string): string {
  const words = collapse(line.slice(0, 200)).split(" ");
  return words
    .filter((word) => !word.startsWith("-") && !word.includes("="))
    .slice(0, 3)
    .join(" ");
}

function collapse(text: string): string {
  return collapseSpaces(text).trim().toLowerCase();
}
