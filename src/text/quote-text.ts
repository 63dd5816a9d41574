/**
 * Words from a conversation inside a text of ours: every line carries a mark, and control characters are visible, so
 * that nothing in them can pass for what stands around them.
 */
import { escapeControls } from "./escape-controls.ts";

export function quoteText(text: string): string {
  return escapeControls(text)
    .split(/[\n\u2028\u2029]/)
    .map((line) => `> ${line}`)
    .join("\n");
}
