/** Where the characters of broken UTF-8 stand: a sign that replaces bytes does not tell how many there were. */

/** The byte of an index of the text that a lenient decoder makes of it. Asked for in ascending order. */
export function utf8Places(bytes: Uint8Array): (index: number) => number {
  let [at, units] = [0, 0];
  return (index) => {
    while (units < index && at < bytes.length) {
      const length = lengthAt(bytes, at);
      units += length === 4 ? 2 : 1;
      at += length;
    }
    return at;
  };
}

/** Bytes of the character that begins here, or of what is decoded as one sign that replaces it. */
function lengthAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  const wanted = wantedBytes(first);
  const [least, most] = secondByte(first);
  for (let i = 1; i < wanted; i++) {
    const byte = bytes[at + i] ?? 0;
    const isNext = i === 1 ? byte >= least && byte <= most : byte >= 0x80 && byte <= 0xbf;
    // Three bytes of four are one sign as well, and no pair.
    if (!isNext) return i;
  }
  return wanted;
}

function wantedBytes(first: number): number {
  if (first >= 0xf0 && first <= 0xf4) return 4;
  if (first >= 0xe0 && first <= 0xef) return 3;
  return first >= 0xc2 && first <= 0xdf ? 2 : 1;
}

/** Those that a second byte lies between: others would be too long a form, half of a pair, or beyond all characters. */
function secondByte(first: number): readonly [least: number, most: number] {
  if (first === 0xe0) return [0xa0, 0xbf];
  if (first === 0xed) return [0x80, 0x9f];
  if (first === 0xf0) return [0x90, 0xbf];
  return first === 0xf4 ? [0x80, 0x8f] : [0x80, 0xbf];
}
