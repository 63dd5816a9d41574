/** Values in parsed JSON, by their path of keys. */
import { PalimpsestError } from "../../errors.ts";

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function valueAt(root: unknown, at: readonly string[]): unknown {
  let value = root;
  for (const name of at) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

/** Creates missing objects on the path. Throws if another kind of value is there. */
export function setAt(root: JsonObject, [name = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    root[name] = value;
    return;
  }
  const inner = root[name] ?? {};
  if (!isObject(inner))
    throw new PalimpsestError("invalid-input", `"${name}" in the host's configuration is not an object`, {
      advice: "Correct it, and run the command again.",
    });
  root[name] = inner;
  setAt(inner, rest, value);
}

/** Also removes objects on the path that become empty, unless they exist in `before`. */
export function removeAt(root: JsonObject, at: readonly string[], before: unknown): void {
  const [name = "", ...rest] = at;
  const inner = root[name];
  if (rest.length > 0 && isObject(inner)) removeAt(inner, rest, valueAt(before, [name]));
  const isEmpty = isObject(inner) && Object.keys(inner).length === 0;
  if (rest.length === 0 || (isEmpty && valueAt(before, [name]) === undefined)) delete root[name];
}
