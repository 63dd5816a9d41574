import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { ContextItem, NewSummary, ScopedStore, Store, Write } from "../../src/store/store.ts";
import {
  AT,
  conversationIdFor,
  sampleAppend,
  sampleMessage,
  samplePublish,
  sampleSummary,
} from "../../src/store/testing/sample.ts";
import { DEFAULT_SCOPE } from "../../src/types.ts";
import { REPEATED, times } from "../run-length.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";

type Step =
  | { readonly kind: "say"; readonly count: number }
  | { readonly kind: "compact"; readonly at: number; readonly size: number }
  | { readonly kind: "leave" | "enter" | "erase"; readonly seqs: readonly number[] };

const seqs = fc.array(fc.integer({ min: 1, max: 24 }), { minLength: 1, maxLength: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("say"), count: fc.integer({ min: 1, max: 6 }) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("compact"),
      at: fc.nat({ max: 23 }),
      size: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("leave", "enter"), seqs }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("erase"), seqs }) },
);

/** A few items of one kind and depth that stand one behind the other, as a summary needs them. */
async function sourcesAt(
  scoped: ScopedStore,
  items: readonly ContextItem[],
  { at, size }: Extract<Step, { kind: "compact" }>,
): Promise<(number | string)[]> {
  const depthOf = async (item: ContextItem) =>
    item.type === "message" ? -1 : ((await scoped.summary(item.summary))?.depth ?? -2);
  const chosen = items.slice(at % Math.max(1, items.length)).slice(0, size);
  const depths = await Promise.all(chosen.map(depthOf));
  const end = depths.findIndex((depth) => depth !== depths[0]);
  return chosen
    .slice(0, end === -1 ? undefined : end)
    .map((item) => (item.type === "message" ? item.seq : item.summary));
}

describe("the context and its summaries", () => {
  const places: Place[] = [];
  const stores: Store[] = [];
  let sessions = 0;
  beforeAll(async () => {
    for (const engine of ENGINES) {
      const place = await temporaryPlace(engine);
      places.push(place);
      const databaseUrl = engine === "postgres" ? place.store : null;
      stores.push(await openStore({ dataDir: place.store, databaseUrl }));
    }
  });
  afterAll(async () => {
    for (const store of stores) await store.close();
    for (const place of places) await place.dispose();
  });

  async function toWrite(scoped: ScopedStore, session: string, step: Step, number: number) {
    const id = conversationIdFor(session);
    const { messageCount = 0 } = (await scoped.conversation({ id })) ?? {};
    const known = "seqs" in step ? step.seqs.filter((seq) => seq <= messageCount) : [];
    const append = (more: object): Write => sampleAppend(session, [], more);
    switch (step.kind) {
      case "say":
        return sampleAppend(
          session,
          Array.from({ length: step.count }, (_, i) => sampleMessage(`${number}-${i}`)),
          { receipt: "{}" },
        );
      case "compact": {
        const items = (await scoped.contextItems(id, {})).rows;
        const sources = await sourcesAt(scoped, items, step);
        return sources.length === 0 ? undefined : samplePublish(id, sampleSummary(sources) as NewSummary);
      }
      case "leave":
        return append({ leaveContext: known.map((seq) => ({ seq, reason: "branch" as const })) });
      case "enter":
        return append({ enterContext: known });
      case "erase": {
        const audit = { at: AT, action: "erase", conversation: id, detail: `{"step":${number}}` };
        return { kind: "erase", id, seqs: known, retold: [], lines: [], title: null, at: AT, audit } as const;
      }
    }
  }

  it(
    "stay sound after any sequence of changes, and the same on both engines (promise: reachable)",
    REPEATED,
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
          const session = `graph-${++sessions}`;
          const id = conversationIdFor(session);
          const scopes = stores.map((store) => store.scoped(DEFAULT_SCOPE));
          const [first] = scopes;
          if (first === undefined) throw new Error("no store");
          const all: Step[] = [{ kind: "say", count: 12 }, ...steps];
          for (const [number, step] of all.entries()) {
            const write = await toWrite(first, session, step, number);
            if (write !== undefined) for (const scoped of scopes) await scoped.commit([write]);
          }
          const views = await Promise.all(
            scopes.map(async (scoped) => ({
              context: (await scoped.contextItems(id, {})).rows,
              summaries: (await scoped.summaries(id, {})).rows,
              events: (await scoped.compactionEvents(id, {})).rows,
              receipts: (await scoped.receipts(id, {})).rows,
              conversation: await scoped.conversation({ id }),
            })),
          );
          expect(views[1]).toEqual(views[0]);
          for (const store of stores)
            expect(
              (await checkIntegrity(store, { scope: DEFAULT_SCOPE, conversation: id })).problems,
            ).toEqual([]);
        }),
        { numRuns: times({ short: 15, long: 400 }) },
      );
    },
  );
});
