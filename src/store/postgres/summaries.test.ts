/** Summaries, as far as PostgreSQL differs: windows in steps, whole sets taken apart at once, files, loading. */
import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { freshDatabase } from "../../../test/start-postgres.ts";
import { DEFAULT_SCOPE } from "../../types.ts";
import type { DumpRow, ScopedStore, Store } from "../store.ts";
import { END } from "../tables/pages.ts";
import {
  AT,
  conversationIdFor,
  onlyResult,
  sampleAppend,
  sampleMessage,
  samplePublish,
  sampleSummary,
} from "../testing/sample.ts";
import { openPostgresStore } from "./index.ts";
import { SELECT_WINDOW } from "./select-window.ts";

describe("summaries in PostgreSQL", () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let client: pg.Client;
  let store: Store;
  let scoped: ScopedStore;

  beforeAll(async () => {
    database = await freshDatabase(inject("postgresUrl"));
    client = new pg.Client(database.url);
    await client.connect();
    store = await openPostgresStore({ url: database.url });
    scoped = store.scoped(DEFAULT_SCOPE);
    await client.query("SET search_path = palimpsest");
  });
  afterAll(async () => {
    await store.close();
    await client.end();
    await database.drop();
  });

  const append = async (...input: Parameters<typeof sampleAppend>) =>
    onlyResult(await scoped.commit([sampleAppend(...input)]), "append").conversation;
  const publish = async (id: string, sources: readonly (number | string)[], more = {}) => {
    const summary = { ...sampleSummary(sources), ...more };
    const result = onlyResult(await scoped.commit([samplePublish(id, summary)]), "publish");
    return { id: summary.id, conversation: result.conversation };
  };
  const erase = (id: string, seqs: readonly number[]) => {
    const audit = { at: AT, action: "erase", conversation: id, detail: "{}" };
    return scoped.commit([{ kind: "erase", id, seqs, retold: [], lines: [], title: null, at: AT, audit }]);
  };
  const itemsOf = async (id: string, from = scoped) => (await from.contextItems(id, {})).rows;
  const contextOf = async (id: string, from = scoped) =>
    (await itemsOf(id, from)).map((item) => (item.type === "message" ? item.seq : item.summary));
  const expectCounted = async (id: string, from = scoped) => {
    const items = await itemsOf(id, from);
    const contextTokens = items.reduce((sum, item) => sum + item.tokenCount, 0);
    const counters = { contextItems: items.length, contextTokens };
    expect(await from.conversation({ id })).toMatchObject(counters);
    return counters;
  };

  it("gives the same window as a walk item by item, whatever the budget", async () => {
    const id = conversationIdFor("window");
    const messages = Array.from({ length: 200 }, (_, i) =>
      sampleMessage(`w${i}`, "w", {
        tokenCount: [0, 0, 3, 40, 1][i % 5] ?? 0,
        role: i % 50 ? "user" : "system",
      }),
    );
    await append("window", messages);
    await publish(id, [130, 131, 132]);
    await publish(id, [52, 53]);
    const items = await itemsOf(id);
    for (const maxTokens of [-1, 0, 1, 40, 41, 500, 563, 564, 1_100, 1_128, 1_765, 5_000, Infinity]) {
      const expected: number[] = [];
      let tokens = 0;
      for (const { ordinal, tokenCount } of items.toReversed()) {
        if (expected.length > 0 && tokens + tokenCount > maxTokens) break;
        tokens += tokenCount;
        expected.unshift(ordinal);
      }
      const window = await scoped.contextWindow(id, { maxTokens });
      expect(window.items.map((item) => item.ordinal)).toEqual(expected);
      expect(window.left.items).toBe(items.length - expected.length);
      const pinned = [1, 51, 101, 151].filter((seq) => seq * 1024 < (expected[0] ?? 0));
      expect(window.pinned.map((message) => message.seq)).toEqual(pinned);
    }
  });

  it("takes a window out of a long context without reading the rest, also before there are statistics", async () => {
    const id = conversationIdFor("long");
    const system = sampleMessage("rules", "rules", { role: "system" });
    await append("long", [system, ...Array.from({ length: 4_999 }, (_, i) => sampleMessage(`l${i}`))]);
    const window = await scoped.contextWindow(id, { maxTokens: 30 });
    expect(window.left).toEqual({ items: 4_990, tokens: 14_970 });
    expect(window.pinned.map((message) => message.seq)).toEqual([1]);
    const values = [
      DEFAULT_SCOPE.tenant,
      DEFAULT_SCOPE.agent,
      id,
      30,
      10,
      0,
      null,
      null,
      null,
      null,
      null,
      END,
    ];
    for (const prepare of ["SELECT", "ANALYZE"]) {
      await client.query(prepare);
      const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${SELECT_WINDOW}`, values);
      expect(rowsRead(rows[0]["QUERY PLAN"][0].Plan)).toBeLessThan(200);
    }
  });

  it("takes apart everything above many messages at once, and no more", async () => {
    const id = conversationIdFor("apart");
    await append(
      "apart",
      Array.from({ length: 18 }, (_, i) => sampleMessage(`a${i}`)),
    );
    const leaves: string[] = [];
    for (let seq = 1; seq <= 16; seq += 2) leaves.push((await publish(id, [seq, seq + 1])).id);
    const [a, b, c, d, e, f, g, h] = leaves as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    const ab = (await publish(id, [a, b])).id;
    const cd = (await publish(id, [c, d])).id;
    const ef = (await publish(id, [e, f])).id;
    const gh = (await publish(id, [g, h])).id;
    await publish(id, [ab, cd]);
    const { conversation } = await publish(id, [ef, gh]);
    expect(conversation).toMatchObject(await expectCounted(id));
    const after = await append("apart", [sampleMessage("new")], {
      leaveContext: [3, 6].map((seq) => ({ seq, reason: "reset" as const })),
    });
    expect((await contextOf(id)).slice(0, 4)).toEqual([a, 4, 5, d]);
    expect(after).toMatchObject(await expectCounted(id));
    await erase(id, [9, 3]);
    expect(await contextOf(id)).toEqual([a, 4, 5, d, 10, f, gh, 17, 18, 19]);
    await expectCounted(id);
    const back = await append("apart", [], { enterContext: [3, 6] });
    expect(await contextOf(id)).toEqual([a, 4, 5, 6, d, 10, f, gh, 17, 18, 19]);
    expect(back).toMatchObject(await expectCounted(id));
    const erased = (await scoped.summaries(id, {})).rows.filter((summary) => summary.content === null);
    expect(erased.map((summary) => summary.id)).toEqual(expect.arrayContaining([b, e, ab, ef]));
    expect(erased.length).toBe(6);
  });

  it("lets one of two compactions of the same messages through", async () => {
    const id = conversationIdFor("race");
    await append(
      "race",
      Array.from({ length: 6 }, (_, i) => sampleMessage(`r${i}`)),
    );
    const outcomes = await Promise.allSettled([publish(id, [1, 2, 3]), publish(id, [2, 3, 4])]);
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(refused).toMatchObject([{ reason: { code: "busy" } }]);
    await expectCounted(id);
  });

  it("keeps long texts and odd ones, and leaves nothing of them in the files once erased", async () => {
    const id = conversationIdFor("files");
    const content = `secret-${randomBytes(8).toString("hex")}`;
    await append("files", [sampleMessage("f1"), sampleMessage("f2"), sampleMessage("f3")]);
    const long = `nul \0 ${randomBytes(3_000_000).toString("hex")}`;
    const kept = await publish(id, [3], {
      content: long,
      model: "a\0b",
      fileIds: ["file_1", "\0"],
      fidelity: null,
    });
    const other = await scoped.summary(kept.id);
    expect(other).toMatchObject({ model: "a\ufffdb", fileIds: ["file_1", "\0"], fidelity: null });
    expect(other?.content === long).toBe(true);
    await publish(id, [1, 2], { content });
    const isInFile = async () => {
      await client.query("CHECKPOINT");
      const { rows } = await client.query(
        "SELECT position($1::bytea IN pg_read_binary_file(pg_relation_filepath('summaries'))) > 0 AS found",
        [Buffer.from(content)],
      );
      return rows[0].found;
    };
    expect(await isInFile()).toBe(true);
    await erase(id, [2]);
    await store.compactFiles();
    expect(await isInFile()).toBe(false);
  });

  it("brings summaries to a conversation that has its own, and leaves its context as it is", async () => {
    const id = conversationIdFor("loaded");
    await append(
      "loaded",
      Array.from({ length: 4 }, (_, i) => sampleMessage(`x${i}`)),
    );
    const rowsOf = async function* (): AsyncGenerator<DumpRow> {
      for await (const row of store.dump())
        if (row.row === "conversation" ? row.id === id : "conversation" in row && row.conversation === id)
          yield row;
    };
    const place = await freshDatabase(inject("postgresUrl"));
    const copy = await openPostgresStore({ url: place.url });
    try {
      const there = copy.scoped(DEFAULT_SCOPE);
      await copy.load(rowsOf(), { replace: false });
      const own = sampleSummary([2, 3]);
      await there.commit([samplePublish(id, own)]);
      const [a, b] = [(await publish(id, [1, 2])).id, (await publish(id, [3, 4])).id];
      await publish(id, [a, b]);
      await append("loaded", [sampleMessage("more"), sampleMessage("out", "out", { excluded: "heartbeat" })]);
      await copy.load(rowsOf(), { replace: false });
      expect(await contextOf(id, there)).toEqual([1, own.id, 4, 5]);
      const brought = (await there.summaries(id, {})).rows.filter((summary) => summary.id !== own.id);
      expect(brought).toEqual((await scoped.summaries(id, {})).rows);
      await expectCounted(id, there);
      const next = sampleSummary([4, 5]);
      await there.commit([samplePublish(id, next)]);
      expect(await contextOf(id, there)).toEqual([1, own.id, next.id]);
      await expectCounted(id, there);
    } finally {
      await copy.close();
      await place.drop();
    }
  });

  it("goes with its conversation", async () => {
    const id = conversationIdFor("deleted");
    await append("deleted", [sampleMessage("d1"), sampleMessage("d2")]);
    const leaf = (await publish(id, [1])).id;
    await publish(id, [leaf]);
    const audit = { at: AT, action: "delete-conversation", conversation: id, detail: "{}" };
    await scoped.commit([{ kind: "delete-conversation", id, audit }]);
    for (const table of ["summaries", "summary_messages", "summary_parents", "compaction_events"]) {
      const { rows } = await client.query(
        `SELECT count(*)::int AS orphans FROM ${table} WHERE conversation_id NOT IN (SELECT conversation_id FROM conversations)`,
      );
      expect(rows[0].orphans).toBe(0);
    }
    expect(await scoped.summary(leaf)).toBeUndefined();
  });
});

interface PlanNode {
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Rows that a plan has read from tables, used or not. */
function rowsRead(node: PlanNode): number {
  const each = node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0);
  const own = node["Relation Name"] === undefined ? 0 : each * node["Actual Loops"];
  return (node.Plans ?? []).reduce((sum, below) => sum + rowsRead(below), own);
}
