/** Whatever looks like the id of a message or a summary, also when it is none: an invented id is often a little wrong. */
export const LIKE_AN_ID = /\b(?:msg_[0-9a-z]+(?:_[0-9]+)?|sum_[0-9a-z]+)\b/gi;

/** Each once, in the order in which they come. */
export function idsIn(text: string): readonly string[] {
  return [...new Set(text.match(LIKE_AN_ID) ?? [])];
}
