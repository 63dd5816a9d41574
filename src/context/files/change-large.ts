/**
 * Copies a message with other things in the place of its large objects and lists. Each value is looked at once, and only
 * what is large is copied, however deep it is nested.
 */
import { isBinary } from "../ingest/tag-binary.ts";
import { setField } from "./set-field.ts";

/** Given a copy, and which of the large values it is of. The same value is counted alike each time. */
export type ChangeValue = (copy: object, index: number) => unknown;

/** JSON writes no character in more bytes than an escape takes. */
const ESCAPE = 6;
const QUOTES = 2;
/** The longest number, and a comma. */
const LONGEST_NUMBER = 25;
/** Brackets, a colon, a comma; or null and a comma. */
const SIGNS = 5;

/** Large is what JSON may write in more than so many bytes: certainly all that it does, and perhaps a bit more. */
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
    const copy = Array.isArray(one) ? [...one] : { ...one };
    for (const [key, changed] of changes) setField(copy, key, changed);
    return change(copy, met++);
  };
  return visit(value);
}

function mostBytes(value: unknown): number {
  if (typeof value === "string") return ESCAPE * value.length + QUOTES + SIGNS;
  return typeof value === "object" ? SIGNS : LONGEST_NUMBER;
}
