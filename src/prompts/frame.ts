/**
 * Conversation text is always data. It is placed between two lines that contain a mark; the mark
 * is taken from a hash of the texts and is checked not to occur in it, so nothing inside can end the frame.
 */
import { sha256 } from "../text/bytes.ts";

interface Frame {
  readonly open: string;
  readonly close: string;
}

/** Hex digits of the mark. */
const MARK = 12;
/** Characters of each text that the mark depends on; all of each text is checked for it. */
const SAMPLE = 1_000;

/** Two lines that do not occur in any of the texts. The same texts give the same frame. */
export function frameFor(name: string, texts: readonly string[]): Frame {
  const beginnings = texts.map((text) => `${text.length} ${text.slice(0, SAMPLE)}`).join("\n");
  for (let round = 0; ; round++) {
    const mark = sha256(`${round}\n${beginnings}`).slice(0, MARK);
    if (!texts.some((text) => text.includes(mark)))
      return { open: `<<${name} ${mark}>>`, close: `<</${name} ${mark}>>` };
  }
}

export function framed({ open, close }: Frame, text: string): string {
  return `${open}\n${text}\n${close}`;
}
