/** How the positions of payloads are stored in a row of either engine, and the reference that replaces a payload. */
import { drillDownHint, referenceOf } from "../text/file-reference.ts";
import { decodeExactly, encodeUtf8 } from "../text/utf8.ts";
import { type PayloadPlace, type Payloads, SEARCHED_BYTES, type StoredFile } from "./file-store.ts";

export function writePlaces(places: readonly PayloadPlace[]): string {
  return JSON.stringify(
    places.map(({ start, end, before, after, head, tail }) => [
      ...[start, end, before, after],
      ...(head === undefined && tail === undefined ? [] : [head ?? 0, tail ?? 0]),
    ]),
  );
}

type PlaceTuple = readonly [
  ...[start: number, end: number, before: number, after: number],
  head?: number,
  tail?: number,
];

/** Used for a row that cannot be parsed: no message has this place, so no payload is inserted there. */
const NOWHERE: PayloadPlace = { start: -1, end: -1, before: 0, after: 0 };

/** A damaged row is still read, because the rest of it may be correct. */
export function readPlaces(json: string): PayloadPlace[] {
  const tuples = parse(json);
  if (!isListOfTuples(tuples)) return [NOWHERE];
  return tuples.map(([start, end, before, after, head, tail]) => ({
    ...{ start, end, before, after },
    ...(head === undefined || tail === undefined ? {} : { head, tail }),
  }));
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function isListOfTuples(value: unknown): value is readonly PlaceTuple[] {
  const isCount = (number: unknown) => Number.isSafeInteger(number) && Number(number) >= 0;
  return (
    Array.isArray(value) &&
    value.every(
      (tuple) => Array.isArray(tuple) && [4, 6].includes(tuple.length) && tuple.every((one) => isCount(one)),
    )
  );
}

/** How the payloads of a message are shown, and as of which time. */
export interface Shown {
  readonly payloads: Payloads;
  /** A model's description of a file from this time on is not shown. */
  readonly describedBefore?: string | undefined;
}

/** The text that is shown instead of a payload. How to read the payload is not part of searched text. */
export function referenceFor(file: StoredFile, { payloads, describedBefore }: Shown): string {
  const reference = referenceOf(fileBefore(file, describedBefore));
  return payloads === "search" ? reference.replace(`\n${drillDownHint(file.id)}`, "") : reference;
}

function fileBefore(file: StoredFile, time: string | undefined): StoredFile {
  const isLater = time !== undefined && file.described !== null && file.described.at >= time;
  return isLater ? { ...file, described: null } : file;
}

/** Whether the payload itself is shown, or a reference to it. */
export function isWhole({ kind, bytes }: Pick<StoredFile, "kind" | "bytes">, payloads: Payloads): boolean {
  switch (payloads) {
    case "whole":
    case "sound":
      return true;
    case "context":
      return kind === "tool-output";
    case "stubs":
      return false;
    case "search":
      return bytes <= SEARCHED_BYTES;
    case "summarise":
      return kind === "tool-output" && bytes <= SEARCHED_BYTES;
  }
}

/**
 * A file that was attached beside its message has no place in it: the message's own words refer to it. Unless the original is
 * requested, the model's description is shown instead.
 */
export function withDescriptions(
  content: Uint8Array<ArrayBuffer>,
  files: readonly StoredFile[],
  shown: Shown,
): Uint8Array<ArrayBuffer> {
  if (shown.payloads === "whole" || shown.payloads === "sound") return content;
  const described = files
    .map((file) => fileBefore(file, shown.describedBefore))
    .filter((file) => file.places.length === 0 && file.described !== null);
  const text = described.length === 0 ? undefined : decodeExactly(content);
  if (text === undefined) return content;
  return encodeUtf8(described.reduce((filled, file) => replaceReference(filled, file), text));
}

function replaceReference(text: string, file: StoredFile): string {
  const own = quoted(referenceOf({ ...file, described: null }));
  return text.replace(own, () => quoted(referenceOf(file)));
}

function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
