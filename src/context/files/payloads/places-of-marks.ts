/**
 * Where values stand in the text that JSON.stringify makes of a message. The message is written once more with marks in
 * their place: what stands between the marks is the same in both texts. No text is searched for another.
 */

/** Characters of the original. */
export interface WrittenValue {
  readonly start: number;
  readonly end: number;
}

/**
 * `pieces` is the text with marks, cut before and behind each of them. Null when the original is written otherwise; what
 * stands around it, such as the end of its line, says nothing.
 */
export function placesOfMarks(
  original: string,
  pieces: readonly string[],
  values: ReadonlyMap<string, unknown>,
  write: (value: unknown) => string,
): Map<string, WrittenValue> | null {
  const places = new Map<string, WrittenValue>();
  let at = original.length - original.trimStart().length;
  for (const piece of pieces) {
    const isMark = values.has(piece);
    const text = isMark ? write(values.get(piece)) : piece;
    if (!original.startsWith(text, at)) return null;
    if (isMark) places.set(piece, { start: at, end: at + text.length });
    at += text.length;
  }
  return at === original.trimEnd().length ? places : null;
}
