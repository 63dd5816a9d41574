/** Fields of untrusted input from a host. */

/** Null when it is missing, empty or not text. */
export function textOf(given: unknown, name: string): string | null {
  const value = Object(given)[name];
  return typeof value === "string" && value !== "" ? value : null;
}

/** A value that may be encoded as JSON text. */
export function jsonOf(given: unknown, name: string): unknown {
  const value = Object(given)[name];
  if (typeof value !== "string" || !/^\s*[[{"]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
