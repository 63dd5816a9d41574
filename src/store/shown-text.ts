import { withReplacements } from "../text/utf8.ts";

/** Text that is shown, not compared, as both engines store it: PostgreSQL has no text with a NUL in it. */
export function shownText(text: string): string;
export function shownText(text: string | null): string | null;
export function shownText(text: string | null): string | null {
  return text === null ? null : withReplacements(text);
}
