/** Shared code of the wire format checkers: it reads plain JSON and does not rely on the renderers' types. */
export type Json = Readonly<Record<string, unknown>>;

export class Violations {
  readonly found: string[] = [];

  expect(holds: boolean, place: string, rule: string): void {
    if (!holds) this.found.push(`${place}: ${rule}`);
  }

  /** Exactly these fields, optional ones marked by `?`. */
  fields(value: Json, place: string, ...names: readonly string[]): void {
    const known = names.map((name) => name.replace(/\?$/, ""));
    for (const name of names)
      this.expect(name.endsWith("?") || value[name] !== undefined, place, `has no ${name}`);
    for (const key of Object.keys(value))
      this.expect(known.includes(key), place, `has the unknown field ${key}`);
  }

  filled(value: unknown, place: string): void {
    this.expect(typeof value === "string" && value.trim() !== "", place, "is not a text with words");
  }

  matches(value: unknown, pattern: RegExp, place: string): void {
    this.expect(typeof value === "string" && pattern.test(value), place, `does not match ${pattern}`);
  }

  base64(value: unknown, place: string): void {
    this.matches(value, /^[A-Za-z0-9+/_-]+={0,2}$/, place);
  }

  link(value: unknown, place: string): void {
    this.matches(value, /^(https?:\/\/|data:[a-z]+\/[\w.+-]+;base64,[A-Za-z0-9+/_-]+={0,2}$)/i, place);
  }

  jsonObject(value: unknown, place: string): void {
    this.expect(typeof value === "string" && isJsonObject(value), place, "is not the JSON text of an object");
  }
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The list's members that are objects; reports a violation for each other member, and for a value that is not a list. */
export function objectsIn(value: unknown, place: string, violations: Violations): readonly Json[] {
  violations.expect(Array.isArray(value), place, "is not a list");
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  for (const [index, member] of list.entries())
    violations.expect(isObject(member), `${place}[${index}]`, "is not an object");
  return list.filter(isObject);
}

function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}
