/** The strings in a JSON text, as they are written there. Each character is looked at a bounded number of times. */

interface JsonString {
  /** Behind the opening quote, and at the closing one. */
  readonly start: number;
  readonly end: number;
}

/** Those of at least this length, without the keys of objects, in order. The text must be valid JSON. */
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

/** Where the characters at these places of a string stand in the way it is written. Places must ascend. */
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
