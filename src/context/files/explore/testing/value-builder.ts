/** Rebuilds values from the events of a structured file, to compare them with the original values. */
import type { StructureVisitor } from "../shape/shape-builder.ts";
import type { ValueType } from "../value-type.ts";

type Value = null | boolean | number | string | Value[] | Map<string, Value>;

export class ValueBuilder implements StructureVisitor {
  readonly roots: Value[] = [];
  readonly #open: { container: Value[] | Map<string, Value>; key: string }[] = [];

  beginObject(): void {
    this.#begin(new Map());
  }

  beginArray(): void {
    this.#begin([]);
  }

  key(name: string): void {
    const top = this.#open.at(-1);
    if (top !== undefined) top.key = name;
  }

  scalar(type: ValueType, text: string): void {
    if (type === "empty") this.#put(null);
    else if (type === "boolean") this.#put(text === "true");
    else this.#put(type === "integer" || type === "number" ? Number(text) : text);
  }

  end(): void {
    this.#open.pop();
  }

  abandon(): void {
    this.#open.length = 0;
  }

  #begin(container: Value[] | Map<string, Value>): void {
    this.#put(container);
    this.#open.push({ container, key: "" });
  }

  #put(value: Value): void {
    const top = this.#open.at(-1);
    if (top === undefined) this.roots.push(value);
    else if (top.container instanceof Map) top.container.set(top.key, value);
    else top.container.push(value);
  }
}

/** Plain objects as maps, so that both can be compared. */
export function withMaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMaps);
  if (value === null || typeof value !== "object") return value;
  return new Map(Object.entries(value).map(([key, inner]) => [key, withMaps(inner)]));
}

/** A text in pieces of this many characters. */
export function inPieces(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
    text.slice(i * size, (i + 1) * size),
  );
}
