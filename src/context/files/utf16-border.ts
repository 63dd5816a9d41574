/**
 * A UTF-16 position that splits no character. A line start is found by the 0x0A byte of its line feed, which in one byte
 * order is the first of two: inside a line feed the position moves after it, inside another character to its beginning.
 */
export function utf16Border(
  bytes: Uint8Array,
  position: number,
  { isOdd, encoding }: { readonly isOdd: boolean; readonly encoding: "utf-16le" | "utf-16be" },
): number {
  const unitAt = (at: number) => {
    const [first = 0, second = 0] = [bytes[at], bytes[at + 1]];
    return encoding === "utf-16le" ? first + second * 256 : first * 256 + second;
  };
  const isInside = (position % 2 === 1) !== isOdd;
  const start = isInside ? position - 1 : position;
  if (isInside && unitAt(start) === 10) return Math.min(bytes.length, start + 2);
  const isSecondHalf = start >= 2 && start + 1 < bytes.length && (unitAt(start) & 0xfc00) === 0xdc00;
  return Math.max(0, isSecondHalf ? start - 2 : start);
}
