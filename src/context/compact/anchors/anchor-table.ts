import type { Anchor, AnchorKind } from "./anchor.ts";

/** Values by the kind and key of an anchor, without building a string for each lookup. */
export class AnchorTable<Value> {
  readonly #byKind = new Map<AnchorKind, Map<string, Value>>();

  get({ kind, key }: Anchor): Value | undefined {
    return this.#byKind.get(kind)?.get(key);
  }

  set({ kind, key }: Anchor, value: Value): void {
    const known = this.#byKind.get(kind);
    if (known === undefined) this.#byKind.set(kind, new Map([[key, value]]));
    else known.set(key, value);
  }
}
