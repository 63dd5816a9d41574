/**
 * The fence around all text that we add to a host's context. It identifies our own text when it returns in a
 * transcript or a request: such text is stored but is not part of the conversation.
 */
import type { Part } from "../types.ts";

const FENCED = /<palimpsest(?: [^<>]*)?>[\s\S]*?<\/palimpsest>/g;
const END = /<\/palimpsest>/g;

/** `about` describes the content to the model. */
export function fence(about: string, text: string): string {
  return `<palimpsest about="${about.replaceAll(/["<>]/g, "'")}">\n${text.replaceAll(END, "<\\/palimpsest>")}\n</palimpsest>`;
}

export function withoutOwnText(text: string): string {
  return text.includes("<palimpsest") ? text.replaceAll(FENCED, "") : text;
}

/** Whether a message consists only of our own text. */
export function isOwnText(parts: readonly Part[]): boolean {
  let isFenced = false;
  for (const part of parts) {
    if (part.type !== "text") return false;
    if (part.text.trim() === "") continue;
    if (!part.text.includes("<palimpsest") || withoutOwnText(part.text).trim() !== "") return false;
    isFenced = true;
  }
  return isFenced;
}
