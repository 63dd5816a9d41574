/**
 * Quotes conversation text inside our own text: every line has a mark, and control characters are visible, so
 * that it cannot be mistaken for the text around it.
 */
import { escapeControls } from "./escape-controls.ts";

const MARK = "> ";

export function quoteText(text: string): string {
  return escapeControls(text)
    .split(/[\n\u2028\u2029]/)
    .map((line) => MARK + line)
    .join("\n");
}

const PLAIN_NAME = /^[\w.:/-]{1,100}$/;
const LONGEST_NAME = 100;

/** An external name on a line of ours: quoted unless it is plain, and limited in length. */
export function quoteName(name: string): string {
  if (PLAIN_NAME.test(name)) return name;
  const short = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
  return escapeControls(JSON.stringify(short)).replaceAll(/[\u2028\u2029]/g, " ");
}

/**
 * C0 except tab and newline, DEL, C1, line separators, marks that change the direction of text, halves of surrogate
 * pairs, and the backslash of text that looks like one of our escapes.
 */
const ESCAPED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Cs}|\\(?=u\{)/gu;

/**
 * The same without loss: `unquoteExactly` restores every character. An unsafe character is
 * written as `\u{1b}`; everything else is unchanged.
 */
export function quoteExactly(text: string): string {
  return text
    .replace(ESCAPED, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`)
    .split("\n")
    .map((line) => MARK + line)
    .join("\n");
}

export function unquoteExactly(quoted: string): string {
  return quoted
    .split("\n")
    .map((line) => line.slice(MARK.length))
    .join("\n")
    .replace(/\\u\{([0-9a-f]+)\}/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
