import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, open } from "../../src/index.ts";
import type { Descended } from "../../src/store/lineage.ts";
import type { ContextItem, Page, Store, StoredMessage, StoredSummary } from "../../src/store/store.ts";
import { interceptCalls } from "../../src/store/testing/counting-store.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";
import { findLosses } from "./losslessness.ts";
import { sayTurn, TURN_SHAPES } from "./sayings.ts";

const SETTINGS = { leafChunkTokens: 600, freshTailCount: 4, leafMinFanout: 2, condensedMinFanout: 2 };

describe.each(ENGINES)("a conversation with three levels of summaries on %s", (name) => {
  const committed = new Map<string, object>();
  let place: Place;
  let engine: Engine;
  const lossesIn = (store: Store, budgets: readonly number[] = []) =>
    findLosses({ store, conversation: "s", committed, budgets });

  beforeAll(async () => {
    place = await temporaryPlace(name);
    engine = await open({ store: place.store, background: "off", config: SETTINGS });
    for (let round = 0; round < 3; round++)
      for (const [index, shape] of TURN_SHAPES.entries()) {
        const key = `t${round}-${index}`;
        const messages = sayTurn(key, shape);
        await engine.context.commitTurn({ conversation: "s", key, messages });
        for (const [at, message] of messages.entries()) committed.set(`${key}#${at}`, message);
      }
    await engine.context.compact({ conversation: "s", budget: 2_000, untilUnder: 1 });
  });
  afterAll(async () => {
    await engine.close();
    await place.dispose();
  });

  it("reaches every message exactly once, in order, byte for byte (promise: reachable)", async () => {
    const { summaries } = await engine.context.conversations.summaries("s");
    expect(Math.max(...summaries.map(({ depth }) => depth))).toBeGreaterThanOrEqual(2);
    const { store } = engine;
    expect(await findLosses({ store, conversation: "s", committed })).toEqual([]);
  });

  it("would be caught losing a message", async () => {
    const [lost] = committed.keys();
    const others = new Map([...committed].filter(([key]) => key !== lost));
    const store = engine.store;
    expect(await findLosses({ store, conversation: "s", committed: others, budgets: [] })).toEqual([
      `${lost} is on record twice, or was never committed`,
      `${lost} is not what was committed`,
    ]);
    const more = new Map([...committed, ["never#0", {}]]);
    expect(await findLosses({ store, conversation: "s", committed: more, budgets: [] })).toEqual([
      "never#0 is lost",
    ]);
  });

  it("would be caught leaving something out of its context, or showing it twice", async () => {
    const drop = answering<ContextItem>("contextItems", (rows) => rows.toSpliced(2, 1));
    expect(await lossesIn(drop(engine.store))).toContainEqual(expect.stringMatching(/^the context reaches/));
    const twice = answering<ContextItem>("contextItems", (rows) => [...rows.slice(0, 2), ...rows.slice(1)]);
    expect(await lossesIn(twice(engine.store))).toContainEqual(expect.stringMatching(/^ordinal .* behind/));
  });

  it("would be caught changing a word, or the depth of a summary", async () => {
    let reads = 0;
    const other = (row: StoredMessage) => ({ ...row, content: '{"role":"user","content":"other"}' });
    const change = interceptCalls(engine.store, async (name, run) => {
      const answer = await run();
      if (name !== "descend" || reads++ < 4) return answer;
      const found = answer as Descended;
      return { ...found, messages: found.messages.map(other) };
    });
    expect(await lossesIn(change)).toContainEqual(
      expect.stringMatching(/to other words|not what was committed/),
    );
    const deeper = answering<StoredSummary>("summaries", (rows) =>
      rows.map((row) => ({ ...row, depth: row.depth * 2 + 1 })),
    );
    expect(await lossesIn(deeper(engine.store))).toContainEqual(expect.stringMatching(/has the depth/));
  });
});

/** A store that gives other rows to one kind of question. */
function answering<Row>(call: string, change: (rows: readonly Row[]) => readonly Row[]) {
  return (store: Store): Store =>
    interceptCalls(store, async (name, run) => {
      const answer = await run();
      if (name !== call) return answer;
      const page = answer as Page<Row>;
      return { ...page, rows: change(page.rows) };
    });
}
