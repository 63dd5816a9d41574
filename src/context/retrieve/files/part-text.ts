/** The text of a part of a long line. Every position in the text maps to its exact byte in the file, in any encoding. */
import type { Encoding } from "../../files/explore/detect-encoding.ts";
import { byteOffsets } from "../../files/payloads/found-payload.ts";
import { plainText, sliceText } from "../../files/slice-text.ts";
import type { PartBytes } from "./line-part.ts";

export interface PartText {
  readonly text: string;
  /** The part itself: positions in the text. A match belongs to the part that it begins in. */
  readonly from: number;
  readonly until: number;
  /** Whether the line ends with it. */
  readonly isLast: boolean;
  /** The byte in the file of a position from `from` on. Call it in ascending order. */
  readonly byteOf: (position: number) => number;
}

export async function partText(part: PartBytes, encoding: () => Promise<Encoding | null>): Promise<PartText> {
  const { bytes, from, until, byte, utf16 } = part;
  const plain = utf16 === null ? plainText(bytes) : null;
  const reading = plain === null ? (utf16 ?? readingOf(bytes, await encoding())) : "utf-8";
  // Decoded separately: the border between them is a character border.
  const before = decode(bytes.subarray(0, from), reading);
  const behind = decode(bytes.subarray(until), reading);
  const text = plain ?? before + decode(bytes.subarray(from, until), reading) + behind;
  const places = placesIn(text.slice(before.length), bytes.subarray(from), reading);
  return {
    text,
    from: before.length,
    until: text.length - behind.length,
    isLast: !part.next.isInside,
    byteOf: (position) => byte + places(position - before.length),
  };
}

/** `utf-8` is exact: byte positions follow from the characters. */
type Reading = Encoding | "broken";

function readingOf(bytes: Uint8Array, encoding: Encoding | null): Reading {
  const read = sliceText(bytes, encoding);
  if (read.base64 === null) return "utf-8";
  return read.encoding === "windows-1252" ? "windows-1252" : "broken";
}

function decode(bytes: Uint8Array, reading: Reading): string {
  if (bytes.length === 0) return "";
  return new TextDecoder(reading === "broken" ? "utf-8" : reading, { ignoreBOM: true }).decode(bytes);
}

function placesIn(text: string, bytes: Uint8Array, reading: Reading): (index: number) => number {
  if (reading === "utf-8") return byteOffsets(text);
  if (reading === "broken") return utf8Places(bytes);
  const size = reading === "windows-1252" ? 1 : 2;
  return (index) => Math.min(bytes.length, index * size);
}

/**
 * The positions of characters in invalid UTF-8: a replacement character does not show how many bytes it replaces.
 *
 * The byte of an index in leniently decoded text. Call it in ascending order.
 */
function utf8Places(bytes: Uint8Array): (index: number) => number {
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

/** Length of the character that begins here, or of the bytes decoded as one replacement character. */
function lengthAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  const wanted = wantedBytes(first);
  const [least, most] = secondByte(first);
  for (let i = 1; i < wanted; i++) {
    const byte = bytes[at + i] ?? 0;
    const isNext = i === 1 ? byte >= least && byte <= most : byte >= 0x80 && byte <= 0xbf;
    // Three bytes of a four-byte character also become one replacement character, and not a pair.
    if (!isNext) return i;
  }
  return wanted;
}

function wantedBytes(first: number): number {
  if (first >= 0xf0 && first <= 0xf4) return 4;
  if (first >= 0xe0 && first <= 0xef) return 3;
  return first >= 0xc2 && first <= 0xdf ? 2 : 1;
}

/** The valid range of the second byte: others are overlong, surrogates, or beyond Unicode. */
function secondByte(first: number): readonly [least: number, most: number] {
  if (first === 0xe0) return [0xa0, 0xbf];
  if (first === 0xed) return [0x80, 0x9f];
  if (first === 0xf0) return [0x90, 0xbf];
  return first === 0xf4 ? [0x80, 0x8f] : [0x80, 0xbf];
}
