/**
 * Makes text from transcripts safe for a terminal. Escape sequences could move the cursor, change the title or
 * hide words, and direction marks could reorder them; each such character becomes a visible sign.
 */

/** C0 except tab and newline, DEL, C1, and the marks that change the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export function escapeControls(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(UNSAFE, visible);
}

/** The same for text that must stay on one line. */
export function oneLine(text: string): string {
  return escapeControls(text).replaceAll(/\s+/g, " ").trim();
}

/** Unicode has symbols for C0 and DEL. */
function visible(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}
