import type { Shape } from "./shape.ts";

/** More fields than this are hardly written out by somebody who designs a record. */
const MANY = 40;
/** Fewer keys may be fields that happen to look alike. */
const FEW = 5;

/** Whether the keys of these objects are entries (names of things) and not fields (names of properties). */
export function isMap(shape: Shape): boolean {
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

/** Each object has few of all the keys, or there is but one object. */
function isSparse(shape: Shape, fields: readonly (readonly [string, Shape])[]): boolean {
  const present = fields.reduce((sum, [, field]) => sum + field.seen, 0);
  return shape.objects === 1 || present < 0.35 * shape.objects * fields.length;
}

/** All objects, and with the same keys for the most part. */
function areAlike(shapes: readonly Shape[]): boolean {
  if (!shapes.every((shape) => shape.objects > 0 && shape.values === null)) return false;
  const names = new Map<string, number>();
  for (const shape of shapes)
    for (const name of shape.fields?.keys() ?? []) names.set(name, (names.get(name) ?? 0) + 1);
  const shared = [...names.values()].reduce((sum, times) => sum + times, 0);
  return names.size > 0 && shared >= 0.4 * names.size * shapes.length;
}
