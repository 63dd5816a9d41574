/**
 * The positions of values in the text that JSON.stringify writes for a message. The message is written again with marks in
 * their place: the text between the marks is the same in both versions. No text search is needed.
 */

/** Positions in characters of the original. */
export interface WrittenValue {
  readonly start: number;
  readonly end: number;
}

/**
 * `pieces` is the text with marks, cut before and after each mark. Null if the original is written differently; text
 * around it, such as its line end, is ignored.
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
