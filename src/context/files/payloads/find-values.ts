/**
 * Finds results that are data as a whole, and their positions in the original. Only the reader distinguishes data from
 * lists of blocks. So each large value gets a `toJSON` that writes a mark: a reader of its fields does not notice it, and
 * a reader that serialises the value writes the mark. A value is externalised only if a string is valid in its place:
 * the reader must return that string as the result, and everything else unchanged.
 */
import { fitOf } from "../../../message/check-json.ts";
import { tagBinary } from "../../../message/tag-binary.ts";
import type { Part, Role } from "../../../types.ts";
import { changeLarge, copyOf } from "./change-large.ts";
import { placesOfMarks, type WrittenValue } from "./places-of-marks.ts";

interface ValueSearch {
  /** The parsed message with its envelope. */
  readonly value: unknown;
  readonly read: (value: unknown) => ReadParts;
  /** The text that was parsed. */
  readonly original: string;
  /** Hexadecimal digits that occur nowhere in the message. */
  readonly secret: string;
  /** Smaller values are ignored. */
  readonly bytes: number;
}

export interface ReadParts {
  readonly role: Role;
  readonly parts: readonly Part[];
}

type ValuesByPart = ReadonlyMap<number, WrittenValue>;
const NONE: ValuesByPart = new Map();

/** By the number of the part. Empty if the original differs from what JSON.stringify writes for its value. */
export function findValues(search: ValueSearch, isWanted: (part: number) => boolean): ValuesByPart {
  const { value, read, original, secret, bytes } = search;
  const fit = fitOf(value);
  if (fit === "lossy") return NONE;
  const change = (by: (one: object, mark: string) => unknown) =>
    changeLarge(value, bytes, (one, index) => by(one, `Mk1${secret}-${index}-`));
  const asData = read(change(writtenAs));
  const marks = marksIn(asData, isWanted, `"Mk1${secret}-`);
  if (marks.size === 0) return NONE;
  const wanted = new Set(marks.values());
  const values = new Map<string, object>();
  const marked = change((one, mark) => {
    if (!wanted.has(mark)) return one;
    values.set(mark, one);
    return mark;
  });
  if (!isReadAs(read(marked), asData, marks)) return NONE;
  const write = (one: unknown) => JSON.stringify(fit === "binary" ? tagBinary(one) : one);
  const pieces = write(marked).split(new RegExp(`"(Mk1${secret}-\\d+-)"`));
  const places = placesOfMarks(original, pieces, values, write);
  return places === null ? NONE : byPart(marks, places);
}

/** A copy that is serialised as the mark and otherwise reads like the value. */
function writtenAs(value: object, mark: string): object {
  return Object.defineProperty(copyOf(value), "toJSON", { value: () => mark, enumerable: false });
}

/** The parts whose whole result is written as one value. */
function marksIn(
  { parts }: ReadParts,
  isWanted: (part: number) => boolean,
  beginning: string,
): Map<number, string> {
  const marks = new Map<number, string>();
  parts.forEach((part, at) => {
    if (part.type !== "tool" || !isWanted(at) || part.output?.startsWith(beginning) !== true) return;
    marks.set(at, part.output.slice(1, -1));
  });
  return marks;
}

/** Whether only these results are read differently. */
function isReadAs(marked: ReadParts, before: ReadParts, marks: ReadonlyMap<number, string>): boolean {
  if (marked.role !== before.role || marked.parts.length !== before.parts.length) return false;
  return before.parts.every((part, at) => {
    const now = marked.parts[at];
    const mark = marks.get(at);
    if (mark === undefined || part.type !== "tool" || now?.type !== "tool") return now?.type === part.type;
    const { callId, name, status, output } = now;
    return output === mark && callId === part.callId && name === part.name && status === part.status;
  });
}

function byPart(
  marks: ReadonlyMap<number, string>,
  places: ReadonlyMap<string, WrittenValue>,
): Map<number, WrittenValue> {
  const found = new Map<number, WrittenValue>();
  for (const [part, mark] of marks) {
    const place = places.get(mark);
    if (place !== undefined) found.set(part, place);
  }
  return found;
}
