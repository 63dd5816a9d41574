import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeRow, encodeRow } from "../../src/store/archive-rows.ts";
import { EVERY_SCOPE, type MemoryStore } from "../../src/store/memory-store.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { DumpRow, Store } from "../../src/store/store.ts";
import {
  later,
  remember,
  sampleDecision,
  sampleForget,
  sampleMemory,
  sampleRevise,
} from "../../src/store/testing/sample-memory.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";

const ACCESS = { tenant: "moved", scopes: EVERY_SCOPE } as const;

describe.each(ENGINES)("memories that are moved from %s to the other engine", (engine) => {
  let places: Place[];
  let stores: Store[];

  beforeAll(async () => {
    places = await Promise.all([temporaryPlace(engine), temporaryPlace(other(engine))]);
    stores = await Promise.all(places.map(openPlace));
  });
  afterAll(async () => {
    for (const store of stores) await store.close();
    for (const place of places) await place.dispose();
  });

  it("are the same there, row for row, and again the same when they come back", async () => {
    const [here, there] = stores as [Store, Store];
    await fill(here.memoriesOf(ACCESS));
    const lines = await linesOf(here);
    expect(await there.load(rowsOf(lines), { replace: false })).toMatchObject({ memories: 6 });
    expect(await linesOf(there)).toEqual(lines);
    expect(await here.load(rowsOf(await linesOf(there)), { replace: false })).toMatchObject({
      memories: 0,
    });
    expect(await linesOf(here)).toEqual(lines);
  });
});

function openPlace({ engine, store }: Place): Promise<Store> {
  const isPostgres = engine === "postgres";
  return openStore({ dataDir: store, databaseUrl: isPostgres ? store : null });
}

function other(engine: (typeof ENGINES)[number]): (typeof ENGINES)[number] {
  return engine === "sqlite" ? "postgres" : "sqlite";
}

/** One of each thing that can be known about a memory. */
async function fill(store: MemoryStore): Promise<void> {
  const source = { conversation: "conv_00000000000000aa", firstSeq: 1, lastSeq: 2 } as const;
  const first = await remember(
    store,
    sampleMemory("global", { factKey: "k", tags: ['a "b"', "c\\,{d}", "茶"] }),
  );
  const second = sampleMemory("global", { factKey: "k", createdAt: later(1), validFrom: later(-9) });
  await remember(store, second, { supersedes: [first.id] });
  const support = [{ context: "work", confirmations: 2, contradictions: 1, lastObservedAt: later(3) }];
  const merged = await remember(
    store,
    sampleMemory("user:ä", {
      support,
      relations: [{ type: "merged-from", target: second.id }],
      sources: [
        { ...source, kind: "origin" },
        { ...source, kind: "support" },
      ],
      importance: 1 / 3,
      confidence: 0.1,
      validUntil: later(99),
    }),
  );
  const aside = await remember(store, sampleMemory("agent:b", { overview: "", content: "line\nline\t🍵" }));
  const gone = await remember(store, sampleMemory("agent:b"));
  await remember(store, sampleMemory("agent:b"));
  await store.commit([
    sampleRevise(aside.id, { archivedAt: later(5), archivedReason: "faded" }),
    { kind: "use", ids: [merged.id, aside.id], how: "injection", at: later(6) },
    {
      kind: "decide",
      decision: sampleDecision("global", { memory: merged.id, conversation: "conv_00000000000000aa" }),
    },
    { kind: "decide", decision: sampleDecision("global") },
    { kind: "captured", conversation: "conv_00000000000000aa", from: 0, to: 7, at: later(7) },
    sampleForget([gone.id]),
  ]);
}

async function linesOf(store: Store): Promise<string[]> {
  const lines: string[] = [];
  for await (const row of store.dump()) lines.push(encodeRow(row));
  return lines;
}

async function* rowsOf(lines: readonly string[]): AsyncGenerator<DumpRow> {
  for (const line of lines)
    yield decodeRow(JSON.parse(line), (problem) => {
      throw new Error(problem);
    });
}
