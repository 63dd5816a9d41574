/** Whichever way the values of a fact come in, and in whatever order, the same one is in force. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, isPalimpsestError, open } from "../../src/index.ts";
import { importedMemory } from "../../src/memory/exchange/imported-memory.ts";
import { memoryIdFor, storedMemory } from "../../src/store/testing/sample-memory.ts";
import { REPEATED, times } from "../run-length.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";

const RUNS = { sqlite: times({ short: 10, long: 300 }), postgres: times({ short: 10, long: 200 }) };
const NOW = Date.parse("2026-03-01T10:00:00.000Z");
const TOWNS = ["Rome", "Oslo", "Bonn", "Lima", "Bern", "Kyiv"];
const KEY = "profile:home";

const day = (days: number) => new Date(NOW + days * 86_400_000).toISOString();
const textOf = (town: string) => `I live in ${town}.`;

interface Value {
  readonly town: string;
  /** In days from now, as is `created`. */
  readonly from: number;
  readonly created: number;
}

const days = fc.integer({ min: -12, max: -1 });
const ways = fc.constantFrom("store", "store many", "capture", "import", "load");
type Way = typeof ways extends fc.Arbitrary<infer Name> ? Name : never;

describe.each(ENGINES)("the values of a fact on %s", (name) => {
  let place: Place;
  let engine: Engine;
  let runs = 0;
  beforeAll(async () => {
    place = await temporaryPlace(name);
    const config = { embeddingModel: "off", logLevel: "silent" } as const;
    engine = await open({ store: place.store, background: "off", clock: () => NOW, config });
  });
  afterAll(async () => {
    await engine.close();
    await place.dispose();
  });

  const newScope = () => ({ tenant: `facts-${++runs}`, agent: "main" });
  type Scope = ReturnType<typeof newScope>;

  const bringBy: Readonly<Record<Way, (value: Value, scope: Scope) => Promise<unknown>>> = {
    store: async (value, scope) => {
      try {
        await engine.memoryOf(scope).store(inputOf(value));
      } catch (error) {
        expect(error).toSatisfy((refused) => isPalimpsestError(refused, "conflict"));
      }
    },
    "store many": (value, scope) => engine.memoryOf(scope).storeMany([inputOf(value)]),
    capture: async ({ town, from }, scope) => {
      const message = { role: "user", content: textOf(town), createdAt: day(from) };
      await engine.contextOf(scope).commitTurn({ conversation: town, key: town, messages: [message] });
      await engine.memoryOf(scope).capture({ conversation: town, flush: true });
    },
    import: (value, scope) => importFile([value], scope),
    load: (value, scope) => load(value, scope),
  };

  async function importFile(values: readonly Value[], scope: Scope): Promise<void> {
    async function* items() {
      for (const [place, value] of values.entries())
        yield { line: place + 1, memory: importedMemory(carriedOf(value, scope)) };
    }
    await engine.memoryOf(scope).exchange.import(items());
  }

  async function load(value: Value, scope: Scope): Promise<void> {
    const { tenant } = scope;
    const known = { scope: "agent:main", updatedAt: day(value.created) };
    const memory = storedMemory({ ...carriedOf(value, scope), ...known });
    async function* rows() {
      yield { row: "memory" as const, tenant, ...memory, events: [] };
    }
    await engine.store.load(rows(), { replace: false });
  }

  async function townsAt(scope: Scope, at: string): Promise<readonly string[]> {
    const { facts } = await engine.memoryOf(scope).facts({ factKey: KEY, at });
    return facts.map(({ memory }) => memory.abstract);
  }

  const recorded = async (scope: Scope) =>
    (await engine.memoryOf(scope).list({ states: ["active", "superseded"], limit: 100 })).rows;
  const inForce = async (scope: Scope) => (await engine.memoryOf(scope).list({ limit: 100 })).rows;

  it("leave the one in force that began last, whichever way each of them came", REPEATED, async () => {
    const arrivals = fc.uniqueArray(fc.record({ town: fc.constantFrom(...TOWNS), from: days, way: ways }), {
      comparator: (one, other) => one.town === other.town || one.from === other.from,
      minLength: 2,
    });
    await fc.assert(
      fc.asyncProperty(arrivals, async (some) => {
        const scope = newScope();
        for (const { way, town, from } of some) await bringBy[way]({ town, from, created: from }, scope);
        const latest = some.toSorted((one, other) => one.from - other.from).at(-1);
        const active = await inForce(scope);
        expect(active.map(({ abstract }) => abstract)).toEqual([textOf(latest?.town ?? "")]);
        const known = await recorded(scope);
        for (let at = -12; at <= 0; at++) {
          const then = known
            .filter(({ validFrom }) => validFrom <= day(at))
            .toSorted((one, other) => (one.validFrom < other.validFrom ? -1 : 1))
            .slice(-1);
          expect(await townsAt(scope, day(at)), `${at}`).toEqual(then.map(({ abstract }) => abstract));
        }
      }),
      { numRuns: RUNS[name], endOnFailure: true },
    );
  });

  it(
    "leave the same one in force when they are carried from elsewhere, also where times are equal",
    REPEATED,
    async () => {
      const few = fc.integer({ min: -2, max: -1 });
      const values = fc.uniqueArray(fc.record({ town: fc.constantFrom(...TOWNS), from: few, created: few }), {
        selector: ({ town }) => town,
        minLength: 2,
      });
      const shuffled = values.chain((some) =>
        fc.tuple(
          ...Array.from({ length: 3 }, () =>
            fc.shuffledSubarray(some, { minLength: some.length, maxLength: some.length }),
          ),
        ),
      );
      await fc.assert(
        fc.asyncProperty(shuffled, async ([file = [], files = [], dumps = []]) => {
          const [asFile, asFiles, asDumps] = [newScope(), newScope(), newScope()];
          await importFile(file, asFile);
          for (const value of files) await importFile([value], asFiles);
          for (const value of dumps) await load(value, asDumps);
          const [expected, ...others] = await Promise.all(
            [asFile, asFiles, asDumps].map(async (scope) =>
              (await inForce(scope)).map(({ abstract }) => abstract),
            ),
          );
          expect(expected).toHaveLength(1);
          for (const other of others) expect(other).toEqual(expected);
        }),
        { numRuns: RUNS[name], endOnFailure: true },
      );
    },
  );
});

function inputOf({ town, from }: Value) {
  return { text: textOf(town), category: "profile", factKey: "home", validFrom: day(from) } as const;
}

/** Ids are those of one memory in the whole store, and sort by the town. */
function carriedOf({ town, from, created }: Value, { tenant }: { readonly tenant: string }) {
  return {
    id: `${memoryIdFor(town).slice(0, 12)}${memoryIdFor(tenant).slice(-8)}`,
    abstract: textOf(town),
    overview: "",
    content: "",
    category: "profile",
    factKey: KEY,
    createdAt: day(created),
    validFrom: day(from),
  } as const;
}
