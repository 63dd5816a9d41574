/** Something that a summary must not lose or invent: it can be looked up, typed, measured or obeyed. */

const ANCHOR_KINDS = [
  "constraint",
  "identifier",
  "path",
  "number",
  "date",
  "url",
  "command",
  "name",
  "time",
] as const;
export type AnchorKind = (typeof ANCHOR_KINDS)[number];

export interface Anchor {
  readonly kind: AnchorKind;
  /** As written in the text. */
  readonly text: string;
  /** Equal for spellings of the same thing: case, thousands separators, date formats and line numbers are ignored. */
  readonly key: string;
  /** The loss if it is missing; a serial number weighs 3, a time of day 0.5. */
  readonly weight: number;
}

export function anchor(kind: AnchorKind, text: string, key: string, weight: number): Anchor {
  return { kind, text, key, weight };
}
