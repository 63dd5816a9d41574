/** Gives an object a field that JSON writes. Defined and not assigned, so that a key named __proto__ stays a key. */
export function setField(copy: object, key: string, value: unknown): void {
  Object.defineProperty(copy, key, { value, enumerable: true, writable: true, configurable: true });
}
