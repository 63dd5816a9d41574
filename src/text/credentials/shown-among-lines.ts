/** Decides about one mention in a long text without searching all of it for credentials. */
import { holdsCredential } from "./hide-credentials.ts";

/** A credential is nearer than this to the words that announce it, unless it is in a key file. */
const LINES = 2;
const WORDS = 16;

/**
 * Whether hiding credentials in the text is certain to leave its first mention of these words, because the lines around it hold
 * none. If it is not certain, the whole text has to be searched. A mention that begins after `last` is not certain. A caller
 * that asks about many mentions gives a `holds` that remembers its answers.
 */
export function isShownAmongLines(
  text: string,
  mention: string,
  last = text.length,
  holds = holdsCredential,
): boolean {
  const at = text.indexOf(mention);
  if (at < 0 || at > last || text.includes("-----BEGIN")) return false;
  return !holds(text.slice(startBefore(text, at), endBehind(text, at + mention.length)));
}

function startBefore(text: string, at: number): number {
  let start = text.lastIndexOf("\n", at) + 1;
  for (let lines = 0, words = 0; start > 0 && (lines < LINES || words < WORDS); ) {
    const end = start;
    start = end === 1 ? 0 : text.lastIndexOf("\n", end - 2) + 1;
    const found = wordsIn(text.slice(start, end));
    words += found;
    if (found > 0) lines++;
  }
  return start;
}

function endBehind(text: string, at: number): number {
  let end = endOfLine(text, at);
  for (let lines = 0, words = 0; end < text.length && (lines < LINES || words < WORDS); ) {
    const start = end;
    end = endOfLine(text, start + 1);
    const found = wordsIn(text.slice(start, end));
    words += found;
    if (found > 0) lines++;
  }
  return end;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

function wordsIn(line: string): number {
  return line.match(/\S+/g)?.length ?? 0;
}
