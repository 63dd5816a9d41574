/**
 * A shape as an outline: a line for each key with its type, how often it is there, and what stands in it. Upper levels
 * come first when there is little room, and each line stands where it belongs.
 */
import { count, counted } from "../../../../text/counted.ts";
import { describeValues } from "../describe-values.ts";
import type { Section } from "../exploration.ts";
import { isPlainName } from "../safe-to-show.ts";
import { isMap } from "./is-map.ts";
import type { Shape } from "./shape.ts";

/** Levels are shown as long as they have no more lines than this. */
const MOST_LINES = 32;
const DEEPEST_LEVEL = 4;
const KEYS_SHOWN = 5;
const INLINE_KEYS = 8;

interface Line {
  readonly text: string;
  readonly depth: number;
  readonly position: number;
}

export function describeShape(root: Shape): Section[] {
  let deepest = DEEPEST_LEVEL;
  let lines = linesOf(root, deepest);
  while (deepest > 0 && lines.length > MOST_LINES) lines = linesOf(root, --deepest);
  const byWorth = lines.toSorted((a, b) => a.depth - b.depth || a.position - b.position);
  const lead = describeType(root, "", false, false);
  return [
    {
      lead: `${lead.charAt(0).toUpperCase()}${lead.slice(1)}${lines.length > 0 ? ":" : ""}`,
      items: byWorth.map(({ text, depth }) => `${"  ".repeat(depth)}${text}`),
      positions: byWorth.map(({ position }) => position),
      layout: "outline",
      share: 1,
    },
  ];
}

function linesOf(root: Shape, deepest: number): Line[] {
  const lines: Line[] = [];
  addLines(root, 0, deepest, lines);
  return lines;
}

/** Lines for the keys of a shape, of its elements or of a map's values. */
function addLines(shape: Shape, depth: number, deepest: number, lines: Line[]): void {
  const holder = fieldsHolder(shape);
  if (depth > deepest || holder?.fields == null) return;
  const isNearCredential = hasCredentialName(holder);
  let unnamed = 0;
  for (const [name, field] of holder.fields) {
    if (!isPlainName(name)) {
      unnamed++;
      continue;
    }
    const type = describeType(field, name, isNearCredential, depth === deepest);
    lines.push({ text: `${name}${presence(field, holder)}: ${type}`, depth, position: lines.length });
    if (!isInline(field)) addLines(field, depth + 1, deepest, lines);
  }
  if (unnamed > 0)
    lines.push({ text: `${counted(unnamed, "key")} not shown`, depth, position: lines.length });
}

/** Through lists and maps to the object whose keys are worth a line each. */
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

/** One of the values beside each other names a credential: the others may be one. */
function hasCredentialName(shape: Shape): boolean {
  return [...(shape.fields?.values() ?? [])].some((field) => field.values?.hasCredentialName === true);
}

function presence(field: Shape, holder: Shape): string {
  if (field.seen >= holder.objects) return "";
  const share = (100 * field.seen) / holder.objects;
  return share < 1 ? ` (in ${count(field.seen)})` : ` (${Math.min(99, Math.round(share))}%)`;
}

/** Keys are named here when no lines for them will follow. */
function describeType(shape: Shape, name: string, isNearCredential: boolean, isLast: boolean): string {
  const types: string[] = [];
  if (shape.objects > 0) types.push(describeObject(shape, isLast));
  if (shape.arrays > 0) types.push(describeArray(shape, name, isNearCredential, isLast));
  const { values } = shape;
  const filled = values === null ? 0 : values.count - values.types.empty;
  if (values !== null && filled > 0) types.push(describeValues(values, { name, isNearCredential }));
  else if (values !== null) types.push(types.length === 0 ? "always null" : "null");
  return types.length === 0 ? "nothing" : types.join(" or ");
}

function describeObject(shape: Shape, isLast: boolean): string {
  if (isMap(shape)) return describeMap(shape, isLast);
  const names = [...(shape.fields?.keys() ?? [])];
  if (names.length === 0) return shape.keys === 0 ? "empty object" : "object";
  if (isLast || isInline(shape)) return `object {${plainNames(names, INLINE_KEYS)}}`;
  return `object of ${counted(names.length, "key")}`;
}

function describeMap(shape: Shape, isLast: boolean): string {
  const names = shape.fields === null ? shape.keyExamples : [...shape.fields.keys()];
  const size = shape.objects === 1 ? counted(shape.keys, "key") : `up to ${counted(shape.mostKeys, "key")}`;
  shape.collapse();
  const examples = plainNames(names, KEYS_SHOWN);
  const to = shape.entry === null ? "" : ` to ${describeType(shape.entry, "value", true, isLast)}`;
  return `map of ${size}${examples === "" ? "" : ` (${examples})`}${to}`;
}

function plainNames(names: readonly string[], limit: number): string {
  const plain = names.filter(isPlainName);
  const shown = plain.slice(0, limit);
  return shown.length < names.length ? [...shown, "…"].join(", ") : shown.join(", ");
}

function describeArray(shape: Shape, name: string, isNearCredential: boolean, isLast: boolean): string {
  const { element, elements, arrays, fewestElements: fewest, mostElements: most } = shape;
  if (element === null) return elements === 0 ? "empty array" : "array";
  const size = arrays === 1 || fewest === most ? count(most) : `${count(fewest)}–${count(most)}`;
  return `array of ${size} × ${describeType(element, name, isNearCredential, isLast)}`;
}

/** Few keys with nothing below them need no lines of their own. */
function isInline(shape: Shape): boolean {
  if (shape.objects === 0) return shape.element === null || isInline(shape.element);
  if (isMap(shape)) return shape.entry === null ? false : isInline(shape.entry);
  const fields = [...(shape.fields?.values() ?? [])];
  return shape.seen > 1 && fields.length <= INLINE_KEYS && fields.every(isLeaf);
}

function isLeaf(shape: Shape): boolean {
  return shape.objects === 0 && shape.arrays === 0;
}
