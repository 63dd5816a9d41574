/** The strings in a JSON text, in their escaped form. Each character is read a bounded number of times. */

interface JsonString {
  /** The position after the opening quote, and that of the closing one. */
  readonly start: number;
  readonly end: number;
}

/** Strings of at least this length, in order, without the keys of objects. The text must be valid JSON. */
export function* jsonStrings(json: string, shortest: number): Generator<JsonString> {
  for (let quote = json.indexOf('"'); quote >= 0; ) {
    const start = quote + 1;
    const end = closingQuote(json, start);
    if (end < 0) return;
    if (end - start >= shortest && !isKey(json, end)) yield { start, end };
    quote = json.indexOf('"', end + 1);
  }
}

function closingQuote(json: string, start: number): number {
  let from = start;
  for (let at = json.indexOf('"', from); at >= 0; at = json.indexOf('"', from)) {
    let backslash = at - 1;
    while (backslash >= from && json.charCodeAt(backslash) === 92) backslash--;
    if ((at - 1 - backslash) % 2 === 0) return at;
    from = at + 1;
  }
  return -1;
}

function isKey(json: string, end: number): boolean {
  let at = end + 1;
  while (" \t\r\n".includes(json.charAt(at)) && at < json.length) at++;
  return json.charAt(at) === ":";
}

/** The positions of these characters of a string in its escaped form. Positions must ascend. */
export function writtenOffsets(written: string, places: readonly number[]): number[] {
  let [at, read] = [0, 0];
  return places.map((place) => {
    while (read < place) {
      const backslash = written.indexOf("\\", at);
      const plain = (backslash < 0 ? written.length : backslash) - at;
      if (backslash < 0 || read + plain >= place) {
        at += place - read;
        read = place;
      } else {
        at = backslash + (written.charAt(backslash + 1) === "u" ? 6 : 2);
        read += plain + 1;
      }
    }
    return at;
  });
}
