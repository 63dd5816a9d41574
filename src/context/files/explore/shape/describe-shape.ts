/**
 * A shape as an outline: a line for each key with its type, its frequency, and its values. Upper levels
 * have priority when there is little room; lines keep the order of the structure.
 */
import { count, counted } from "../../../../text/counted.ts";
import { holdsCredentials, isPlainName } from "../../../../text/credentials/safe-to-show.ts";
import { describeValues } from "../describe-values.ts";
import type { Section } from "../exploration.ts";
import type { Shape } from "./shape.ts";

/** Levels are shown as long as they have at most this many lines. */
const MOST_LINES = 32;
const DEEPEST_LEVEL = 4;
const KEYS_SHOWN = 5;
const INLINE_KEYS = 8;
/** Below this number of lines there is room for more examples. */
const FEW_LINES = 12;
const MANY_EXAMPLES = 8;
const FEW_EXAMPLES = 3;

interface Line {
  readonly text: string;
  readonly depth: number;
  readonly position: number;
}

export function describeShape(root: Shape): Section[] {
  let deepest = DEEPEST_LEVEL;
  let writer = new ShapeWriter(root, deepest, FEW_EXAMPLES);
  while (deepest > 0 && writer.lines.length > MOST_LINES)
    writer = new ShapeWriter(root, --deepest, FEW_EXAMPLES);
  if (writer.lines.length < FEW_LINES) writer = new ShapeWriter(root, deepest, MANY_EXAMPLES);
  const byWorth = writer.lines.toSorted((a, b) => a.depth - b.depth || a.position - b.position);
  return [
    {
      lead: `${writer.lead.charAt(0).toUpperCase()}${writer.lead.slice(1)}${byWorth.length > 0 ? ":" : ""}`,
      items: byWorth.map(({ text, depth }) => `${"  ".repeat(depth)}${text}`),
      positions: byWorth.map(({ position }) => position),
      layout: "outline",
      share: 1,
    },
  ];
}

class ShapeWriter {
  readonly lead: string;
  readonly lines: Line[] = [];
  readonly #deepest: number;
  readonly #examples: number;

  constructor(root: Shape, deepest: number, examples: number) {
    this.#deepest = deepest;
    this.#examples = examples;
    this.lead = this.#type(root, { name: "", isNearCredential: false, isLast: false });
    this.#addLines(root, 0, false);
  }

  /** Lines for the keys of a shape, of its elements or of a map's values. */
  #addLines(shape: Shape, depth: number, isInsideCredential: boolean): void {
    const holder = fieldsHolder(shape);
    if (depth > this.#deepest || holder?.fields == null) return;
    const isNearCredential = isInsideCredential || hasCredentialName(holder);
    let unnamed = 0;
    for (const [name, field] of holder.fields) {
      if (!isPlainName(name)) {
        unnamed++;
        continue;
      }
      const type = this.#type(field, { name, isNearCredential, isLast: depth === this.#deepest });
      this.#add(`${name}${presence(field, holder)}: ${type}`, depth);
      if (!isInline(field)) this.#addLines(field, depth + 1, isNearCredential || holdsCredentials(name));
    }
    if (unnamed > 0) this.#add(`${counted(unnamed, "key")} not shown`, depth);
  }

  #add(text: string, depth: number): void {
    this.lines.push({ text, depth, position: this.lines.length });
  }

  #type(shape: Shape, place: Place): string {
    const types: string[] = [];
    if (shape.objects > 0) types.push(this.#object(shape, place));
    if (shape.arrays > 0) types.push(this.#array(shape, place));
    const { values } = shape;
    const filled = values === null ? 0 : values.count - values.types.empty;
    if (values !== null && filled > 0)
      types.push(describeValues(values, { ...place, examples: this.#examples }));
    else if (values !== null) types.push(types.length === 0 ? "always null" : "null");
    return types.length === 0 ? "nothing" : types.join(" or ");
  }

  #object(shape: Shape, place: Place): string {
    if (isMap(shape)) return this.#map(shape, place);
    const names = [...(shape.fields?.keys() ?? [])];
    if (names.length === 0) return shape.keys === 0 ? "empty object" : "object";
    if (place.isLast || isInline(shape)) return `object {${plainNames(names, INLINE_KEYS)}}`;
    return `object of ${counted(names.length, "key")}`;
  }

  /** The keys of a map are content like its values. */
  #map(shape: Shape, { name, isNearCredential, isLast }: Place): string {
    const names = shape.fields === null ? shape.keyExamples : [...shape.fields.keys()];
    const size = shape.objects === 1 ? counted(shape.keys, "key") : `up to ${counted(shape.mostKeys, "key")}`;
    shape.collapse();
    const examples = isNearCredential || holdsCredentials(name) ? "" : plainNames(names, KEYS_SHOWN);
    const place = { name: "value", isNearCredential: true, isLast };
    const to = shape.entry === null ? "" : ` to ${this.#type(shape.entry, place)}`;
    return `map of ${size}${examples === "" ? "" : ` (${examples})`}${to}`;
  }

  #array({ element, elements, arrays, fewestElements, mostElements }: Shape, place: Place): string {
    if (element === null) return elements === 0 ? "empty array" : "array";
    const isFixed = arrays === 1 || fewestElements === mostElements;
    const size = isFixed ? count(mostElements) : `${count(fewestElements)}–${count(mostElements)}`;
    return `array of ${size} × ${this.#type(element, place)}`;
  }
}

/** The place of a value. */
interface Place {
  readonly name: string;
  readonly isNearCredential: boolean;
  /** No lines for its keys will follow, so the keys are listed here. */
  readonly isLast: boolean;
}

/** Follows lists and maps to the object whose keys get a line each. */
function fieldsHolder(shape: Shape): Shape | null {
  for (let at: Shape | null = shape; at !== null; ) {
    if (at.objects > 0) {
      if (!isMap(at)) return at;
      at.collapse();
      at = at.entry;
    } else at = at.element;
  }
  return null;
}

/** One of several sibling values names a credential, so the others may be one. */
function hasCredentialName(shape: Shape): boolean {
  return [...(shape.fields?.values() ?? [])].some((field) => field.values?.hasCredentialName === true);
}

function presence(field: Shape, holder: Shape): string {
  if (field.seen >= holder.objects) return "";
  const share = (100 * field.seen) / holder.objects;
  return share < 1 ? ` (in ${count(field.seen)})` : ` (${Math.min(99, Math.round(share))}%)`;
}

function plainNames(names: readonly string[], limit: number): string {
  const shown = names.filter(isPlainName).slice(0, limit);
  return (shown.length < names.length ? [...shown, "…"] : shown).join(", ");
}

/** A few keys without children need no lines of their own. */
function isInline(shape: Shape): boolean {
  if (shape.objects === 0) return shape.element === null || isInline(shape.element);
  if (isMap(shape)) return shape.entry !== null && isInline(shape.entry);
  const fields = [...(shape.fields?.values() ?? [])];
  const isFlat = fields.every(({ objects, arrays }) => objects === 0 && arrays === 0);
  return shape.seen > 1 && fields.length <= INLINE_KEYS && isFlat;
}

/** A record designed by a person rarely has more fields. */
const MANY = 40;
/** Fewer keys may be fields that happen to look alike. */
const FEW = 5;

/** Whether the keys of these objects are entries (names of things) and not fields (names of properties). */
function isMap(shape: Shape): boolean {
  if (shape.fields === null) return true;
  const fields = [...shape.fields];
  if (fields.length > MANY) return true;
  if (fields.length < FEW || shape.arrays > 0) return false;
  const odd = fields.filter(
    ([name]) => !/^[\p{L}_$@#-][\p{L}\p{N}_$.:@#-]*$/u.test(name) || /\d{3}/.test(name),
  );
  if (odd.length > fields.length / 2) return true;
  return fields.length >= 2 * FEW && isSparse(shape, fields) && areAlike(fields.map(([, field]) => field));
}

/** Each object has few of all the keys, or there is only one object. */
function isSparse(shape: Shape, fields: readonly (readonly [string, Shape])[]): boolean {
  const present = fields.reduce((sum, [, field]) => sum + field.seen, 0);
  return shape.objects === 1 || present < 0.35 * shape.objects * fields.length;
}

/** All shapes are objects with mostly the same keys. */
function areAlike(shapes: readonly Shape[]): boolean {
  if (!shapes.every((shape) => shape.objects > 0 && shape.values === null)) return false;
  const names = new Map<string, number>();
  for (const shape of shapes)
    for (const name of shape.fields?.keys() ?? []) names.set(name, (names.get(name) ?? 0) + 1);
  const shared = [...names.values()].reduce((sum, times) => sum + times, 0);
  return names.size > 0 && shared >= 0.4 * names.size * shapes.length;
}
