/**
 * Text that comes from a conversation is data, whatever it says. It stands between two lines that name a mark; the mark
 * is taken from the text's own hash and is checked not to occur in it, so nothing inside can end the frame.
 */
import { sha256 } from "../text/hash.ts";

export interface Frame {
  readonly open: string;
  readonly close: string;
}

/** Hex digits of the mark. */
const MARK = 12;

/** Two lines that occur in none of the texts. The same texts give the same frame. */
export function frameFor(name: string, texts: readonly string[]): Frame {
  for (let round = 0; ; round++) {
    const mark = sha256(`${round}\n${texts.join("\n")}`).slice(0, MARK);
    if (!texts.some((text) => text.includes(mark)))
      return { open: `<<${name} ${mark}>>`, close: `<</${name} ${mark}>>` };
  }
}

export function framed({ open, close }: Frame, text: string): string {
  return `${open}\n${text}\n${close}`;
}
