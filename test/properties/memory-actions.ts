/** What can be done to long-term memory, as random data. Few keys and words, so that calls meet each other. */
import fc from "fast-check";
import { SCOPES, type ScopeName } from "./memory-words.ts";

export interface Item {
  readonly scope: ScopeName;
  /** Of a fact; null: a rumour. */
  readonly key: string | null;
  readonly word: number;
}

export type MemoryAction =
  /** `otherKey`: the words are those of another key. */
  | ({ readonly do: "store"; readonly force: boolean; readonly otherKey: boolean } & Item)
  | { readonly do: "store many"; readonly items: readonly Item[] }
  | { readonly do: "update" | "restore with words"; readonly target: number; readonly word: number }
  | { readonly do: "retag"; readonly target: number; readonly tag: string }
  | { readonly do: "weigh"; readonly target: number; readonly importance: number }
  | { readonly do: "forget" | "restore" | "erase" | "import export"; readonly target: number }
  | { readonly do: "consolidate" | "reopen" | "index" | "reembed" | "recall" };

const KEYS = ["colour", "shape", "size"];
const item = {
  scope: fc.constantFrom(...SCOPES),
  key: fc.oneof(fc.constantFrom(...KEYS), fc.constant(null)),
  word: fc.nat(4),
};
const target = fc.nat(40);
const one = <Name extends string>(name: Name) => fc.constant(name);

export const memoryAction: fc.Arbitrary<MemoryAction> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: one("store"), force: fc.boolean(), otherKey: fc.boolean(), ...item }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: one("store many"),
      items: fc.array(fc.record(item), { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom("update", "restore with words"), target, word: fc.nat(9) }),
  },
  { weight: 1, arbitrary: fc.record({ do: one("retag"), target, tag: fc.constantFrom("red", "blue") }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: one("weigh"), target, importance: fc.constantFrom(0, 0.25, 1) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constantFrom("forget", "restore", "erase", "import export"), target }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom("consolidate", "reopen", "index", "reembed", "recall") }),
  },
);

/** What passes between two actions: nothing that a clock shows, a second, or so long that memories are old. */
export const pause: fc.Arbitrary<number> = fc.constantFrom(0, 0, 1_000, 8 * 24 * 3_600_000);
