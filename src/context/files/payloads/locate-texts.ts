/**
 * Finds the positions of texts in the bytes of a message's original, and their encoding. Strings are compared as a
 * whole, by hash, so the time depends only on the size of the message. A payload that could
 * not be restored byte for byte is not externalised: it stays in its message.
 */
import type { PayloadPlace, PayloadWriting } from "../../../store/file-store.ts";
import { writePayload } from "../../../store/payloads.ts";
import { sha256 } from "../../../text/bytes.ts";
import { encodeUtf8 } from "../../../text/utf8.ts";
import { byteOffsets, type FoundPayload, type LocatedPayload } from "./found-payload.ts";
import { jsonStrings, writtenOffsets } from "./json-strings.ts";
import type { WrittenValue } from "./places-of-marks.ts";

/** Payloads of equal strings: one list for each occurrence in the original; the last list also takes the remaining ones. */
interface Wanted {
  readonly string: string;
  readonly lists: (readonly FoundPayload[])[];
  met: number;
}

type Located = Omit<LocatedPayload, "places"> & { readonly places: PayloadPlace[] };

/** In the order of their first positions. Text inside one of the values, which must ascend, is skipped. */
export function locateTexts(
  content: string | Uint8Array,
  found: readonly FoundPayload[],
  values: readonly WrittenValue[] = [],
): LocatedPayload[] {
  if (found.length === 0) return [];
  // A single payload need not be distinguished from others.
  const only = found.length === 1 ? found[0] : undefined;
  const digest = only === undefined ? sha256 : () => "";
  const expected = only === undefined ? null : quoted(only.string);
  const wanted = wantedStrings(found, digest);
  const lengths = new Set(found.map(({ string }) => string.length));
  const isBytes = typeof content !== "string";
  const json = isBytes ? latin1(content) : content;
  const offsets = isBytes ? (index: number) => index : byteOffsets(json);
  const located = new Map<string, Located>();
  let behind = 0;
  for (const { start, end } of jsonStrings(json, Math.min(...lengths))) {
    while ((values[behind]?.end ?? Infinity) <= start) behind++;
    if ((values[behind]?.start ?? Infinity) < start) continue;
    const written = json.slice(start, end);
    const isExpected = written === expected;
    const string = isExpected ? (only?.string ?? "") : unquoted(written);
    const match = lengths.has(string.length) ? wanted.get(digest(string)) : undefined;
    if (match === undefined || match.string !== string) continue;
    const list = match.lists[Math.min(match.met++, match.lists.length - 1)] ?? [];
    for (const [payload, places] of placesIn(written, string, list)) {
      const text = string.slice(payload.start, payload.end);
      // If a string is written as expected, so is each part of it.
      const isUsual = isExpected && !isBytes && text.isWellFormed();
      const writing = isUsual ? "json" : writingOf(text, written.slice(places.start, places.end), isBytes);
      if (writing !== null)
        addPlace(located, payload, text, digest(text), writing, inBytes(places, start, offsets));
    }
  }
  return [...located.values()];
}

function wantedStrings(
  found: readonly FoundPayload[],
  digest: (text: string) => string,
): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  const byIndex = Map.groupBy(found, ({ index }) => index);
  for (const [, list] of [...byIndex].sort(([a], [b]) => a - b)) {
    const string = list[0]?.string ?? "";
    const hash = digest(string);
    const equal = wanted.get(hash);
    const sorted = list.toSorted((a, b) => a.start - b.start);
    if (equal === undefined) wanted.set(hash, { string, lists: [sorted], met: 0 });
    // Strings with lone surrogates may have the same hash and still differ.
    else if (equal.string === string) equal.lists.push(sorted);
  }
  return wanted;
}

type WrittenPlace = Pick<
  FoundPayload,
  "outerStart" | "start" | "hiddenStart" | "hiddenEnd" | "end" | "outerEnd"
>;

function placesIn(
  written: string,
  { length }: string,
  list: readonly FoundPayload[],
): (readonly [FoundPayload, WrittenPlace])[] {
  const [first] = list;
  // A result is the whole string, so no offsets are needed.
  if (first !== undefined && first.hiddenStart === 0 && first.hiddenEnd === length) {
    const end = written.length;
    const whole = { outerStart: 0, start: 0, hiddenStart: 0, hiddenEnd: end, end, outerEnd: end };
    return [[first, whole]];
  }
  const at = writtenOffsets(written, list.flatMap(bordersOf));
  return list.map((payload, index) => {
    const borders = at.slice(BORDERS * index, BORDERS * (index + 1));
    const [outerStart = 0, start = 0, hiddenStart = 0, hiddenEnd = 0, end = 0, outerEnd = 0] = borders;
    return [payload, { outerStart, start, hiddenStart, hiddenEnd, end, outerEnd }];
  });
}

const BORDERS = 6;

/** In the order of the text. */
function bordersOf({ outerStart, start, hiddenStart, hiddenEnd, end, outerEnd }: WrittenPlace): number[] {
  return [outerStart, start, hiddenStart, hiddenEnd, end, outerEnd];
}

function inBytes(place: WrittenPlace, from: number, offsets: (index: number) => number): PayloadPlace {
  const borders = bordersOf(place).map((border) => offsets(from + border));
  const [outerStart = 0, start = 0, hiddenStart = 0, hiddenEnd = 0, end = 0, outerEnd = 0] = borders;
  const [head, tail] = [hiddenStart - start, end - hiddenEnd];
  return {
    ...{ start, end, before: start - outerStart, after: outerEnd - end },
    ...(head === 0 && tail === 0 ? {} : { head, tail }),
  };
}

/** The encoding that turns the text into the written bytes; null if there is none. */
function writingOf(text: string, written: string, isBytes: boolean): PayloadWriting | null {
  if (isBytes) return isWritten(text, written, "json-latin1", "latin1") ? "json-latin1" : null;
  if (!text.isWellFormed()) return null;
  // Equivalent to comparing bytes but much cheaper, and nearly always true.
  if (quoted(text) === written) return "json";
  return isWritten(text, written, "json-ascii", "utf8") ? "json-ascii" : null;
}

function isWritten(
  text: string,
  written: string,
  writing: PayloadWriting,
  encoding: "utf8" | "latin1",
): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are the bytes that there are
  if (encoding === "latin1" && !/^[\u0000-\u00ff]*$/.test(text)) return false;
  const payload = bytesOf(text, writing);
  return Buffer.compare(writePayload(payload, writing), Buffer.from(written, encoding)) === 0;
}

/** Payloads that differ only in their position are one. */
function addPlace(
  located: Map<string, Located>,
  { kind, name, mime, tool, callId, input }: FoundPayload,
  text: string,
  digest: string,
  writing: PayloadWriting,
  place: PayloadPlace,
): void {
  const key = JSON.stringify([kind, name, mime, tool, callId, writing, digest]);
  const known = located.get(key);
  if (known !== undefined) {
    known.places.push(place);
    return;
  }
  const payload = bytesOf(text, writing);
  located.set(key, { kind, name, mime, tool, callId, input, writing, places: [place], payload });
}

function bytesOf(text: string, writing: PayloadWriting): Uint8Array {
  return writing === "json-latin1" ? Buffer.from(text, "latin1") : encodeUtf8(text);
}

function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function unquoted(written: string): string {
  return written.includes("\\") ? (JSON.parse(`"${written}"`) as string) : written;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
