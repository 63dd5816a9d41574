import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { internalsOf } from "../../src/engine.ts";
import { type Engine, open } from "../../src/index.ts";
import { runOperation } from "../../src/operations/run-operation.ts";
import { verify } from "../../src/operations/store/verify.ts";
import { DATABASE_NAME } from "../../src/store/sqlite/index.ts";
import { messageId } from "../../src/text/identifiers.ts";
import { ENGINES, type Place, steadyClock, temporaryFolder, temporaryPlace } from "../temporary-store.ts";

const DIMENSIONS = 8;
/** Of what letters a text is: enough to tell texts apart. */
const embedder = {
  model: "letters",
  embed: async (texts: readonly string[]) =>
    texts.map((text) => {
      const codes = [...text].map((letter) => letter.charCodeAt(0) % DIMENSIONS);
      return Float32Array.from(
        { length: DIMENSIONS },
        (_, i) => codes.filter((code) => code === i).length - 2.5,
      );
    }),
};

/** Damage is done to a real database behind the store's back, as a bug or a stranger would. */
describe.each(ENGINES)("verifying memories in %s", (name) => {
  let place: Place;
  let engine: Engine;
  let ids: Record<"tea" | "coffee" | "dog", string>;

  beforeEach(async () => {
    place = await temporaryPlace(name);
    // With PostgreSQL a backup is put where the caller stands.
    vi.spyOn(process, "cwd").mockReturnValue(temporaryFolder());
    engine = await open({
      store: place.store,
      embedder,
      background: "off",
      clock: steadyClock(),
      config: { logLevel: "silent", agent: "main" },
    });
    const messages = ["I drink tea", "now coffee", "and I have a dog"].map((content) => ({
      role: "user",
      content,
    }));
    await engine.context.commitTurn({ conversation: "s", key: "t1", messages });
    const { id: conversation } = await engine.context.conversations.get("s");
    const store = async (text: string, seq: number, factKey?: string) => {
      const source = messageId(conversation, seq);
      const key = factKey === undefined ? {} : { factKey };
      return (await engine.memory.store({ text, sources: [source], ...key })).memory.id;
    };
    ids = {
      tea: await store("The user drinks tea", 1, "drink"),
      coffee: await store("The user drinks coffee", 2, "drink"),
      dog: await store("The user has a dog called Rex", 3),
    };
    await engine.memory.recall({ query: "What does the user drink?" });
    await internalsOf(engine).turnMemory.flush();
    await engine.memory.maintenance.index();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await engine.close();
    await place.dispose();
  });

  async function damage(...statements: readonly string[]): Promise<void> {
    if (name === "sqlite") {
      const options = { enableForeignKeyConstraints: false, timeout: 5_000 };
      const database = new DatabaseSync(path.join(place.store, DATABASE_NAME), options);
      for (const statement of statements) database.exec(statement);
      database.close();
      return;
    }
    const client = new pg.Client(place.store);
    await client.connect();
    await client.query("SET search_path = palimpsest; SET session_replication_role = replica");
    for (const statement of statements) await client.query(statement);
    await client.end();
  }

  const findings = async (check: string, plan = {}) =>
    (await runOperation(verify, engine, plan)).problems.filter((problem) => problem.check === check);

  it("finds nothing wrong with what is right, also after an erasure", async () => {
    const sound = { ok: true, messages: 3, memories: 3, problems: [] };
    expect(await runOperation(verify, engine, {})).toMatchObject(sound);
    await engine.memory.forget({ id: ids.tea, erase: true });
    expect(await runOperation(verify, engine, {})).toMatchObject(sound);
    expect(await runOperation(verify, engine, { conversation: "s" })).toMatchObject({ memories: 0 });
  });

  it("looks at the memories of tenants that have no conversation", async () => {
    await internalsOf(engine)
      .everyMemoryOf({ tenant: "other", agent: "main" })
      .store({ text: "Elsewhere it rains" });
    expect(await runOperation(verify, engine, {})).toMatchObject({ ok: true, memories: 4 });
    await damage("UPDATE memories SET abstract = '' WHERE abstract LIKE 'Elsewhere%'");
    expect(await findings("memories")).toMatchObject([{ tenant: "other" }]);
  });

  const byText = (text: string) => `abstract LIKE '%${text}%'`;
  // promise: evident
  it.each([
    [
      "a lost successor",
      `DELETE FROM memories WHERE ${byText("coffee")}`,
      /was replaced by \w+, which does not exist/,
    ],
    [
      "a lost end",
      `UPDATE memories SET invalidated_at = NULL, fact_key = NULL WHERE ${byText("tea")}`,
      /has no end/,
    ],
    ["a lost link", `UPDATE memories SET superseded_by = NULL WHERE ${byText("tea")}`, /but no replacement/],
    [
      "a circle",
      `UPDATE memories SET superseded_by = (SELECT uid FROM memories WHERE ${byText("tea")}),
         invalidated_at = created_at WHERE ${byText("coffee")}`,
      /replaces itself/,
    ],
    ["lost words", `UPDATE memories SET abstract = '' WHERE ${byText("dog")}`, /has no text/],
    [
      "words that should be gone",
      `UPDATE memories SET erased_at = created_at WHERE ${byText("dog")}`,
      /still has text/,
    ],
    ["a number that was not given out", "UPDATE memory_scopes SET last_number = 2", /was never assigned/],
    [
      "lost memories with counters",
      `DELETE FROM memories WHERE ${byText("coffee")}`,
      /there are uses of memory 2/,
    ],
    [
      "lost memories with a history",
      `DELETE FROM memories WHERE ${byText("dog")}`,
      /there are events of memory 3/,
    ],
  ])("names %s", async (_, statement, message) => {
    await damage(statement);
    const found = await findings("memories");
    expect(found.map((problem) => problem.message)).toContainEqual(expect.stringMatching(message));
    expect(found.every(({ repairable }) => !repairable)).toBe(true);
  });

  it("names two that are in force under one key", async () => {
    await damage(
      "DROP INDEX memories_fact_idx",
      `UPDATE memories SET invalidated_at = NULL, superseded_by = NULL WHERE ${byText("tea")}`,
    );
    const [found, ...others] = await findings("memories");
    expect(others).toEqual([]);
    expect(found?.message).toMatch(/is active under \w+:drink, and so is mem_/);
  });

  it.each([
    [
      "messages that are not there",
      "UPDATE memory_sources SET last_seq = 9 WHERE first_seq = 3",
      /which has only 3 messages/,
    ],
    [
      "a conversation that is not there",
      "UPDATE memory_sources SET conversation_uid = 'conv_0000000000000000' WHERE first_seq = 3",
      /a conversation that does not exist/,
    ],
  ])("names origins in %s", async (_, statement, message) => {
    await damage(statement);
    const [found, ...others] = await findings("origins");
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      memory: ids.dog,
      message: expect.stringMatching(message),
      repairable: false,
    });
  });

  it("names a memory that outlived the message that it was made from", async () => {
    const { id } = await engine.context.conversations.get("s");
    await damage("UPDATE memory_sources SET conversation_uid = 'hidden' WHERE first_seq = 3");
    await engine.context.erase({ conversation: "s", from: 3 });
    await damage(`UPDATE memory_sources SET conversation_uid = '${id}' WHERE conversation_uid = 'hidden'`);
    expect(await findings("origins")).toMatchObject([
      { memory: ids.dog, message: expect.stringContaining("of which 3 was erased") },
    ]);
  });

  it.each([
    [
      "vectors of another length",
      `UPDATE ${name === "sqlite" ? "vectors" : "memory_vectors"} SET vector = substr(vector, 1, 12) WHERE passage = 0`,
    ],
    ["vectors of a lost memory", `DELETE FROM memories WHERE ${byText("dog")}`],
    [
      "vectors of an erased memory",
      `UPDATE memories SET erased_at = created_at, abstract = '' WHERE ${byText("dog")}`,
    ],
  ])("names %s, and makes them again", async (_, statement) => {
    await damage(statement);
    const found = await findings("vectors", { plan: true });
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(({ repairable }) => repairable)).toBe(true);
    await runOperation(verify, engine, { repair: true });
    expect(await findings("vectors")).toEqual([]);
    const [counted] = (await engine.memory.maintenance.stats()).vectors;
    const { rows } = await engine.memory.list({ states: ["active", "superseded"] });
    expect(counted).toMatchObject({ model: "letters", dimensions: DIMENSIONS, memories: rows.length });
    const { memories } = await engine.memory.recall({ query: "coffee" });
    expect(memories.map(({ memory }) => memory.id)).toContain(ids.coffee);
  });

  it("names signs that are not those of their vectors, and makes them again", async () => {
    const many = Array.from({ length: 2_100 }, (_, i) => ({ text: `Fact ${i} of ${i * 7919}` }));
    if (name === "sqlite") {
      await engine.memory.storeMany(many);
      await engine.memory.maintenance.reembed();
    }
    expect(await findings("vectors")).toEqual([]);
    await damage(
      name === "sqlite"
        ? "UPDATE vector_bits SET bits = zeroblob(length(bits))"
        : "UPDATE memory_vector_bits SET bits = ~bits, is_active = NOT is_active",
    );
    const found = await findings("vectors", { plan: true });
    expect(found[0]).toMatchObject({
      message: expect.stringContaining("do not match their quantised form"),
      repairable: true,
    });
    await runOperation(verify, engine, { repair: true });
    expect(await findings("vectors")).toEqual([]);
  });

  it("names a word index that does not say what the memories say, and makes it again", async () => {
    // Without its seal, which would tell of the changed words.
    const changed = "abstract = 'The user has a cat called Tom', words_seal = NULL";
    await damage(`UPDATE memories SET ${changed} WHERE ${byText("dog")}`);
    const { problems, plan } = await runOperation(verify, engine, { plan: true });
    expect(problems).toMatchObject([{ check: "words", tenant: "default", repairable: true }]);
    expect(plan).toMatchObject([{ description: expect.stringContaining("of the word index") }]);
    const repaired = await runOperation(verify, engine, { repair: true });
    expect(repaired).toMatchObject({ ok: true, repaired: 1, backup: expect.any(String) });
    expect((await engine.memory.maintenance.stats()).unindexed).toBe(0);
    expect((await engine.memory.get(ids.dog)).abstract).toBe("The user has a cat called Tom");
  });

  it("stops when it is told to", async () => {
    const signal = AbortSignal.abort();
    const findMessages = async () => undefined;
    await expect(engine.memory.maintenance.verify({ signal, findMessages })).rejects.toMatchObject({
      code: "cancelled",
    });
  });
});
