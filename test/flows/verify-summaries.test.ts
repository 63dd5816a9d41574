import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import { applyRepairs, planRepairs } from "../../src/context/verify/plan-repairs.ts";
import { openPostgresStore } from "../../src/store/postgres/index.ts";
import { DATABASE_NAME, openSqliteStore } from "../../src/store/sqlite/index.ts";
import type { ScopedStore, Store } from "../../src/store/store.ts";
import {
  conversationIdFor,
  sampleAppend,
  sampleMessage,
  samplePublish,
  sampleSummary,
} from "../../src/store/testing/sample.ts";
import { DEFAULT_SCOPE } from "../../src/types.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";

/** Summaries are numbered in the order in which they are made: a, b, c, top. */
const [A, B, C, TOP] = [1, 2, 3, 4];

/** Damage is done to a real database behind the store's back, as a bug or a stranger would. */
describe.each(ENGINES)("verifying summaries and the context in %s", (engine) => {
  const id = conversationIdFor("verified");
  let place: Place;
  let store: Store;
  let scoped: ScopedStore;
  let whole: (number | string)[];
  let names: Record<"a" | "b" | "c" | "top", string>;

  beforeEach(async () => {
    place = await temporaryPlace(engine);
    store =
      engine === "sqlite"
        ? await openSqliteStore({ dataDir: place.store })
        : await openPostgresStore({ url: place.store });
    scoped = store.scoped(DEFAULT_SCOPE);
    const messages = Array.from({ length: 12 }, (_, i) => sampleMessage(`k${i + 1}`));
    await scoped.commit([sampleAppend("verified", messages, { receipt: "{}" })]);
    const [a, b, c] = [sampleSummary([1, 2, 3, 4]), sampleSummary([5, 6, 7]), sampleSummary([8, 9])];
    const top = sampleSummary([a.id, b.id]);
    for (const summary of [a, b, c, top]) await scoped.commit([samplePublish(id, summary)]);
    names = { a: a.id, b: b.id, c: c.id, top: top.id };
    whole = [top.id, c.id, 10, 11, 12];
  });
  afterEach(async () => {
    await store.close();
    await place.dispose();
  });

  async function damage(statement: string): Promise<void> {
    if (engine === "sqlite") {
      const options = { enableForeignKeyConstraints: false };
      const database = new DatabaseSync(path.join(place.store, DATABASE_NAME), options);
      database.exec(statement);
      database.close();
      return;
    }
    const client = new pg.Client(place.store);
    await client.connect();
    await client.query("SET search_path = palimpsest; SET session_replication_role = replica");
    await client.query(statement);
    await client.end();
  }
  const contextOf = async () =>
    (await scoped.contextItems(id, {})).rows.map((item) =>
      item.type === "message" ? item.seq : item.summary,
    );
  const findings = async (check: string) =>
    (await checkIntegrity(store)).problems
      .filter((problem) => problem.check === check)
      .map((problem) => problem.message);
  const messageColumn = engine === "sqlite" ? "message_id" : "seq";
  /** A row for a message in the context; in SQLite messages have ids of their own. */
  const insertItem = (ordinal: number, seq: number) =>
    engine === "sqlite"
      ? `INSERT INTO context_items (conversation_id, ordinal, item_type, message_id, token_count)
         SELECT conversation_id, ${ordinal}, 'message', message_id, 3 FROM messages WHERE seq = ${seq}`
      : `INSERT INTO context_items (tenant, conversation_id, ordinal, item_type, seq, token_count)
         SELECT tenant, conversation_id, ${ordinal}, 'message', seq, 3 FROM messages WHERE seq = ${seq}`;
  const zero = engine === "sqlite" ? "x'00'" : "'\\x00'";

  it("finds nothing wrong with what is right", async () => {
    expect((await checkIntegrity(store)).problems).toEqual([]);
    expect(await contextOf()).toEqual(whole);
  });

  // promise: evident
  it.each([
    ["a lost link to a message", "DELETE FROM summary_messages WHERE seq = 6", /does not follow.*merkleRoot/],
    ["a summary of nothing", `DELETE FROM summary_messages WHERE summary_number = ${C}`, /has no sources/],
    ["a link to nowhere", "UPDATE summary_messages SET seq = 99 WHERE seq = 9", /do not exist/],
    ["a wrong depth", `UPDATE summaries SET depth = 5 WHERE summary_number = ${TOP}`, /: depth$/],
    [
      "two depths below one",
      `UPDATE summaries SET depth = 1 WHERE summary_number = ${A}`,
      /all of one depth/,
    ],
    [
      "a summary of itself",
      `UPDATE summary_parents SET parent_number = ${TOP} WHERE parent_number = ${A}`,
      /all of one depth/,
    ],
    ["a wrong root", `UPDATE summaries SET merkle_root = ${zero} WHERE summary_number = ${A}`, /merkleRoot/],
    [
      "a lost source",
      `DELETE FROM summaries WHERE summary_number = ${B}`,
      /does not follow.*descendantCount/,
    ],
    ["wrong counts", `UPDATE summaries SET message_count = 9 WHERE summary_number = ${C}`, /: messageCount$/],
  ])("notices %s", async (_, statement, finding) => {
    await damage(statement);
    expect(await findings("summaries")).toContainEqual(expect.stringMatching(finding));
    const { unrepairable } = planRepairs(await checkIntegrity(store));
    expect(unrepairable.map((problem) => problem.check)).toContain("summaries");
  });

  it.each([
    ["an item of a lost summary", `UPDATE context_items SET summary_number = 77 WHERE summary_number = ${C}`],
    ["a lost summary item", `DELETE FROM context_items WHERE summary_number = ${TOP}`],
    ["a lost message item", "DELETE FROM context_items WHERE ordinal = 10240"],
    ["a lost context", "DELETE FROM context_items"],
    ["a message raw and covered", insertItem(6 * 1024, 6)],
    ["an item out of place", "UPDATE context_items SET ordinal = 13000 WHERE ordinal = 10240"],
    ["an item of another message", insertItem(99, 3)],
    ["an item of no message", `UPDATE context_items SET ${messageColumn} = 99 WHERE ordinal = 11264`],
    ["wrong tokens of a message", "UPDATE context_items SET token_count = 77 WHERE ordinal = 11264"],
    ["wrong tokens of a summary", `UPDATE context_items SET token_count = 7 WHERE summary_number = ${TOP}`],
    ["a wrong number of items", "UPDATE conversations SET context_items = 99"],
    ["a wrong number of tokens", "UPDATE conversations SET context_tokens = 99"],
    ["a wrong number of tokens with stubs", "UPDATE conversations SET context_stub_tokens = 99"],
  ])("notices %s, and mends it without loss (promise: rebuildable)", async (_, statement) => {
    await damage(statement);
    const report = await checkIntegrity(store);
    expect(new Set(report.problems.map((problem) => problem.check))).toEqual(new Set(["context"]));
    await applyRepairs(store, planRepairs(report));
    expect((await checkIntegrity(store)).problems).toEqual([]);
    expect(await contextOf()).toEqual(whole);
  });

  it.each([
    [
      "an erased text that is still shown",
      `UPDATE summaries SET content = NULL, encoding = 'erased' WHERE summary_number = ${TOP}`,
      () => [names.a, names.b, names.c, 10, 11, 12],
    ],
    [
      "an excluded message below a summary",
      engine === "sqlite"
        ? "INSERT INTO context_exclusions SELECT message_id, conversation_id, 'branch' FROM messages WHERE seq = 6"
        : "INSERT INTO context_exclusions SELECT tenant, conversation_id, seq, 'branch' FROM messages WHERE seq = 6",
      () => [names.a, 5, 7, names.c, 10, 11, 12],
    ],
    [
      "a message that no summary around it covers",
      "UPDATE summary_messages SET seq = 10 WHERE seq = 9",
      () => [names.top, 8, 9, 10, 11, 12],
    ],
  ])("puts back what is still good after %s", async (_, statement, expected) => {
    await damage(statement);
    expect((await findings("context")).length).toBeGreaterThan(0);
    await applyRepairs(store, planRepairs(await checkIntegrity(store)));
    expect(await findings("context")).toEqual([]);
    expect(await contextOf()).toEqual(expected());
  });

  it("notices receipts and compaction events that belong to nothing", async () => {
    await damage(`UPDATE compaction_events SET summary_number = 77 WHERE summary_number = ${C}`);
    await damage("UPDATE assembly_receipts SET first_seq = 99");
    expect(await findings("records")).toEqual([
      expect.stringMatching(/^a receipt belongs to message 99, which/),
      expect.stringMatching(/^the compaction event of 2026-03-01T10:00:00.000Z belongs to/),
    ]);
  });
});
