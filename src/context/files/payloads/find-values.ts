/**
 * Finds results that are data as a whole, and where they stand in the original. What is data and what is a list of blocks
 * only the reader knows, so it is asked: each large value is given a way to write itself as a mark, which whoever takes
 * its fields does not see, and whoever takes it for data writes instead of it. Such a value is taken only where a string
 * may stand as well: the reader must see that string as the result, and all else as it was.
 */
import { fitOf } from "../../../message/check-json.ts";
import { tagBinary } from "../../../message/tag-binary.ts";
import type { Part, Role } from "../../../types.ts";
import { changeLarge, copyOf } from "./change-large.ts";
import { placesOfMarks, type WrittenValue } from "./places-of-marks.ts";

interface ValueSearch {
  /** The message with its envelope, as it was parsed. */
  readonly value: unknown;
  readonly read: (value: unknown) => ReadParts;
  /** The text that it was parsed from. */
  readonly original: string;
  /** Letters and digits that occur nowhere in the message. */
  readonly secret: string;
  /** Values of fewer bytes are not looked for. */
  readonly bytes: number;
}

export interface ReadParts {
  readonly role: Role;
  readonly parts: readonly Part[];
}

type ValuesByPart = ReadonlyMap<number, WrittenValue>;
const NONE: ValuesByPart = new Map();

/** By the number of the part. None where the original is not what JSON.stringify makes of its value. */
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

/** A copy, which says the mark to JSON and nothing else to anybody. */
function writtenAs(value: object, mark: string): object {
  return Object.defineProperty(copyOf(value), "toJSON", { value: () => mark, enumerable: false });
}

/** Of the parts whose whole result is written as one value. */
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

/** Whether nothing but these results is read otherwise. */
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
