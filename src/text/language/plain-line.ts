/**
 * A line without the Markdown around its words: quote marks, list markers and emphasis. A possible name, hash,
 * pattern or code keeps every character.
 */

const QUOTE = /^\s*>\s/;
/** A number is a marker only with its punctuation and a space after it: `9b6bd9e` and `12.5` are not. */
const MARKER = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/;
const CODE = /`[^`]+`/g;
/**
 * Around whole words, without an adjacent letter or digit: `**kwargs`, `2**10`, `src/**` and `**a**b` do not match. Neither does
 * `__init__`: underscores are always kept.
 */
const EMPHASIS = new RegExp(
  [
    String.raw`(?<![*/\\]|\w[!-~]{0,80})\*\*`,
    String.raw`(?=[\p{L}\p{N}"'“‘([«])([^*]+)(?<=[\p{L}\p{N}.,:;!?)\]"'”’»%…。：！？])`,
    String.raw`\*\*(?![*/]|[!-~]{0,80}\w)`,
  ].join(""),
  "gu",
);

export function plainLine(line: string): string {
  return withoutEmphasis(line.replace(MARKER, "").replace(QUOTE, "")).trimEnd();
}

export function withoutEmphasis(line: string): string {
  if (!line.includes("**") || hasOpenCode(line)) return line;
  const masked = line.replace(CODE, (code) => "c".repeat(code.length));
  const pieces: string[] = [];
  let end = 0;
  for (const { index, 0: whole, 1: words = "" } of masked.matchAll(EMPHASIS)) {
    pieces.push(line.slice(end, index), line.slice(index + 2, index + 2 + words.length));
    end = index + whole.length;
  }
  return pieces.join("") + line.slice(end);
}

/** Code that continues on another line, or that contains backticks. */
function hasOpenCode(line: string): boolean {
  return line.includes("``") || line.split("`").length % 2 === 0;
}
