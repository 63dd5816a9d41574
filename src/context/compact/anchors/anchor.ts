/** What a summary must not lose or invent: something that can be looked up, typed, measured or obeyed. */

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
  /** As it stands in the text. */
  readonly text: string;
  /** The same for two spellings of one thing: case, thousands separators, date formats and line numbers aside. */
  readonly key: string;
  /** How much is lost when it is missing; a serial number weighs 3, a time of day 0.5. */
  readonly weight: number;
}

export function anchor(kind: AnchorKind, text: string, key: string, weight: number): Anchor {
  return { kind, text, key, weight };
}
