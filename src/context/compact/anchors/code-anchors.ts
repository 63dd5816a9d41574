/** Anchors that are longer than a token: code between backticks, and command lines. */
import { collapseSpaces } from "../../../text/spaces.ts";
import { type Anchor, anchor } from "./anchor.ts";

/** First words by which a quoted line is taken for a command. */
const PROGRAMS = new Set(
  "git npm npx pnpm yarn bun node deno python python3 pip pytest go cargo make docker kubectl curl wget ssh scp rsync cd ls cat grep rg sed awk find rm mv cp mkdir chmod sudo systemctl journalctl brew apt psql sqlite3 terraform gh tsc vitest jest".split(
    " ",
  ),
);
const QUOTED = /`([^`\n]{2,160})`/g;
const PROMPT = /^\s*\$ (\S[^\n]{1,300})$/gm;
const ARGUMENT = /\b(?:command|cmd): ?(\S[^\n]{1,300})/g;

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

/** The first three words that are not options: what was done, to what. */
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
