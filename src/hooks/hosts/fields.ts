/** Fields of what a host gives, which is read once and not trusted. */

/** Null when it is missing, empty or not text. */
export function textOf(given: unknown, name: string): string | null {
  const value = Object(given)[name];
  return typeof value === "string" && value !== "" ? value : null;
}

/** A value that may come as its JSON text. */
export function jsonOf(given: unknown, name: string): unknown {
  const value = Object(given)[name];
  if (typeof value !== "string" || !/^\s*[[{"]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
