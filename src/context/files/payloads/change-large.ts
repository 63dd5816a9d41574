/**
 * Copies a message with its large objects and lists replaced. Each value is visited once, at any
 * depth, and unchanged values are not copied.
 */
import { isBinary } from "../../../message/tag-binary.ts";

/** Receives a value with the changes inside it, and the number of this large value, which is stable between calls. */
type ChangeValue = (value: object, index: number) => unknown;

/** The maximum number of bytes that JSON writes for a character: an escape. */
const ESCAPE = 6;
const QUOTES = 2;
/** The longest number, and a comma. */
const LONGEST_NUMBER = 25;
/** Brackets, a colon, a comma; or null and a comma. */
const SIGNS = 5;

/** Large means that JSON may need more than this many bytes: includes all values that do, and some slightly smaller ones. */
export function changeLarge(value: unknown, bytes: number, change: ChangeValue): unknown {
  let [most, met] = [0, 0];
  const visit = (one: unknown): unknown => {
    const before = most;
    most += mostBytes(one);
    if (typeof one !== "object" || one === null || isBinary(one)) return one;
    const fields = one as Readonly<Record<string, unknown>>;
    const changes: [string, unknown][] = [];
    for (const key of Object.keys(fields)) {
      most += ESCAPE * key.length + QUOTES;
      const changed = visit(fields[key]);
      if (changed !== fields[key]) changes.push([key, changed]);
    }
    if (most - before <= bytes) return one;
    const copy = changes.length === 0 ? one : copyOf(one);
    for (const [key, changed] of changes) setField(copy, key, changed);
    return change(copy, met++);
  };
  return visit(value);
}

export function copyOf(value: object): object {
  return Array.isArray(value) ? [...(value as readonly unknown[])] : { ...value };
}

/** Bytes take four thirds of their size, plus a tag. */
const TAGGED = 64;

function mostBytes(value: unknown): number {
  if (typeof value === "string") return ESCAPE * value.length + QUOTES + SIGNS;
  if (isBinary(value))
    return TAGGED + (value instanceof URL ? ESCAPE * value.href.length : 2 * value.byteLength);
  return typeof value === "object" ? SIGNS : LONGEST_NUMBER;
}

/** Gives an object a field that JSON writes. Defined instead of assigned, so that a key named __proto__ stays a key. */
export function setField(copy: object, key: string, value: unknown): void {
  Object.defineProperty(copy, key, { value, enumerable: true, writable: true, configurable: true });
}
