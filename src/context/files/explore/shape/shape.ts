/**
 * The common structure of the values at one place: their types, their keys, the lengths of their lists.
 * Objects with more keys than a schema has are maps: their values share one shape.
 */
import { detach } from "../detach.ts";
import { Values } from "../values.ts";

/** More keys than this are map entries and not fields. */
const MOST_FIELDS = 300;
/** The lower limit for keys whose values are objects or lists. */
const MOST_HOLDING_FIELDS = 40;
const MOST_KEY_EXAMPLES = 24;
const SHAPES_OF_A_LEVEL = 800;

/** The number of shapes at each level of a file: bounds the memory, and keeps lower levels from starving upper ones. */
export class ShapeBudget {
  readonly #taken: number[] = [];

  take(level: number): Shape | null {
    const taken = this.#taken[level] ?? 0;
    if (taken >= SHAPES_OF_A_LEVEL) return null;
    this.#taken[level] = taken + 1;
    return new Shape();
  }

  /** Adds a shape and all below it to the budget in use, or removes them. */
  count(shape: Shape, level: number, sign: 1 | -1): void {
    this.#taken[level] = (this.#taken[level] ?? 0) + sign;
    for (const field of shape.fields?.values() ?? []) this.count(field, level + 1, sign);
    if (shape.entry !== null) this.count(shape.entry, level + 1, sign);
    if (shape.element !== null) this.count(shape.element, level + 1, sign);
  }
}

export class Shape {
  /** Number of values at this place. */
  seen = 0;
  objects = 0;
  arrays = 0;
  values: Values | null = null;
  /** Null once there were too many. */
  fields: Map<string, Shape> | null = new Map();
  /** The common shape of a map's values. */
  entry: Shape | null = null;
  keyExamples: string[] = [];
  /** Keys of all objects together. */
  keys = 0;
  mostKeys = 0;
  element: Shape | null = null;
  elements = 0;
  mostElements = 0;
  fewestElements = Number.POSITIVE_INFINITY;

  scalars(): Values {
    this.values ??= new Values();
    return this.values;
  }

  /** The shape of a key's value; null if the budget is used up. */
  field(name: string, budget: ShapeBudget, level: number): Shape | null {
    this.keys++;
    const known = this.fields?.get(name);
    if (known !== undefined) return known;
    if (this.fields !== null && this.#hasTooManyFields(this.fields))
      this.#becomeMap(this.fields, budget, level);
    if (this.fields === null) return this.entry;
    const made = budget.take(level);
    if (made !== null) this.fields.set(detach(name), made);
    return made;
  }

  #becomeMap(fields: ReadonlyMap<string, Shape>, budget: ShapeBudget, level: number): void {
    for (const field of fields.values()) budget.count(field, level, -1);
    this.collapse();
    if (this.entry !== null) budget.count(this.entry, level, 1);
  }

  #hasTooManyFields(fields: ReadonlyMap<string, Shape>): boolean {
    if (fields.size < MOST_HOLDING_FIELDS) return false;
    if (fields.size >= MOST_FIELDS) return true;
    if (fields.size > MOST_HOLDING_FIELDS) return false;
    const holding = [...fields.values()].filter(({ objects, arrays }) => objects + arrays > 0);
    return holding.length > fields.size / 2;
  }

  /** Converts fields into a map. */
  collapse(): void {
    if (this.fields === null) return;
    const entry = new Shape();
    for (const [name, shape] of this.fields) {
      if (this.keyExamples.length < MOST_KEY_EXAMPLES) this.keyExamples.push(name);
      entry.merge(shape);
    }
    this.fields = null;
    this.entry = entry;
  }

  merge(other: Shape): void {
    this.seen += other.seen;
    this.objects += other.objects;
    this.arrays += other.arrays;
    this.keys += other.keys;
    this.mostKeys = Math.max(this.mostKeys, other.mostKeys);
    this.elements += other.elements;
    this.mostElements = Math.max(this.mostElements, other.mostElements);
    this.fewestElements = Math.min(this.fewestElements, other.fewestElements);
    if (other.values !== null) this.scalars().merge(other.values);
    if (other.element !== null) this.element = merged(this.element, other.element);
    this.#mergeKeys(other);
  }

  #mergeKeys(other: Shape): void {
    if (other.fields === null) this.collapse();
    if (this.fields === null || other.fields === null) {
      if (other.fields !== null) other.collapse();
      if (other.entry !== null) this.entry = merged(this.entry, other.entry);
      this.keyExamples.push(...other.keyExamples.slice(0, MOST_KEY_EXAMPLES - this.keyExamples.length));
      return;
    }
    for (const [name, shape] of other.fields)
      this.fields.set(name, merged(this.fields.get(name) ?? null, shape));
    if (this.fields.size > MOST_FIELDS) this.collapse();
  }
}

/** Merges the second shape into the first, which is created if missing. */
function merged(into: Shape | null, from: Shape): Shape {
  const shape = into ?? new Shape();
  shape.merge(from);
  return shape;
}
