/** Detects how to read the bytes of a file: by the byte order mark, by the positions of zeros, or as binary data. */

export const ENCODINGS = ["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** With a larger share of control characters, content is not text. */
const MOST_CONTROLS = 0.02;
const LOOKED_AT = 65_536;

/** Null if it is not text. */
export function detectEncoding(head: Uint8Array): Encoding | null {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  const sample = head.subarray(0, LOOKED_AT);
  if (sample.includes(0)) return withoutMark(sample);
  if (controls(sample) > sample.length * MOST_CONTROLS) return null;
  return isMostlyUtf8(sample) ? "utf-8" : "windows-1252";
}

/** Zeros at every other position are the upper bytes of UTF-16 units. */
function withoutMark(sample: Uint8Array): Encoding | null {
  const zeros = [0, 0];
  for (let i = 0; i < sample.length; i++) if (sample[i] === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const half = sample.length / 2;
  if (odd > half * 0.7 && even < half * 0.02) return "utf-16le";
  return even > half * 0.7 && odd < half * 0.02 ? "utf-16be" : null;
}

function controls(sample: Uint8Array): number {
  let found = 0;
  for (const byte of sample)
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 12 && byte !== 27) found++;
  return found;
}

/** Text with one byte a letter decodes to a replacement character at nearly every byte above ASCII. */
function isMostlyUtf8(sample: Uint8Array): boolean {
  const high = sample.reduce((sum, byte) => sum + (byte > 127 ? 1 : 0), 0);
  if (high === 0) return true;
  const bad = new TextDecoder().decode(sample).split("\ufffd").length - 1;
  return bad <= 1 || bad < high * 0.3;
}
