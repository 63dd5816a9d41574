/** Counts the calls that reach a store, so that tests can show that an operation needs few round trips. */
import type { MemoryStore } from "../memory-store.ts";
import type { ScopedStore, Store } from "../store.ts";

export type CallCounts = Map<string, number>;

export function countCalls(store: Store): { readonly store: Store; readonly counts: CallCounts } {
  const counts: CallCounts = new Map();
  const counted = interceptCalls(store, (name, call) => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return call();
  });
  return { store: counted, counts };
}

/** Wraps every call of a store for a scope or a memory access, their write paths included. */
export function interceptCalls(
  store: Store,
  around: (name: string, call: () => Promise<unknown>) => Promise<unknown>,
): Store {
  return new Proxy(store, {
    get: (target, name) => {
      if (name === "scoped")
        return (scope: Parameters<Store["scoped"]>[0]) => wrap(target.scoped(scope), around);
      if (name === "memoriesOf")
        return (access: Parameters<Store["memoriesOf"]>[0]) => wrap(target.memoriesOf(access), around);
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function wrap<Scoped extends ScopedStore | MemoryStore>(
  scoped: Scoped,
  around: (name: string, call: () => Promise<unknown>) => Promise<unknown>,
): Scoped {
  return new Proxy(scoped, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...values: unknown[]) => around(String(name), () => value.apply(target, values));
    },
  });
}
