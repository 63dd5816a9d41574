/** The nearest by an index of pgvector: the same answers as by sign bits, and really from the index. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPgvector } from "../../../../test/start-pgvector.ts";
import type { RunningPostgres } from "../../../../test/start-postgres.ts";
import { EVERY_SCOPE } from "../../memory-store.ts";
import type { Store } from "../../store.ts";
import { AT, conversationIdFor, sampleAppend, sampleMessage } from "../../testing/sample.ts";
import { sampleMemory, sampleRemember, sampleRevise } from "../../testing/sample-memory.ts";
import { clusteredVectors, cosine } from "../../testing/sample-vectors.ts";
import { openPostgresStore } from "../index.ts";
import { Session } from "../session.ts";
import { buildIndex, findIndex, indexName } from "./build-vector-index.ts";

const MODEL = "it's a model";
const [COUNT, DIMENSIONS] = [500, 64];
const OTHER_SCOPE = "user:other";
const SETS = (["memory", "message"] as const).map((owners) => ({
  owners,
  model: MODEL,
  dimensions: DIMENSIONS,
}));

describe("with pgvector", () => {
  const around = { clusters: 12, dimensions: DIMENSIONS, seed: 5 };
  const vectors = clusteredVectors({ count: COUNT, ...around });
  const questions = clusteredVectors({ count: 5, skip: COUNT, ...around });
  let server: RunningPostgres;
  let client: pg.Client;
  const opened: Store[] = [];

  beforeAll(async () => {
    server = await startPgvector();
    client = new pg.Client(server.url);
    await client.connect();
    const store = await openStore();
    await store
      .memoriesOf({ tenant: "t", scopes: EVERY_SCOPE })
      .commit(
        vectors.map((vector) =>
          sampleRemember(sampleMemory("global"), { vectors: { model: MODEL, vectors: [vector] } }),
        ),
      );
    const scoped = store.scoped({ tenant: "t", agent: "one" });
    await scoped.commit([
      sampleAppend(
        "said",
        vectors.map((_, i) => sampleMessage(`number ${i}`)),
      ),
    ]);
    const messages = vectors.map((vector, i) => ({ seq: i + 1, vectors: [vector] }));
    const id = conversationIdFor("said");
    await scoped.commit([{ kind: "embed", id, model: MODEL, first: 1, last: COUNT, messages }]);
  });
  afterAll(async () => {
    for (const store of opened) await store.close();
    await client.end();
    await server.stop();
  });

  /** A store that has not looked for an index yet. */
  async function openStore(): Promise<Store> {
    const store = await openPostgresStore({ url: server.url });
    opened.push(store);
    return store;
  }

  const nearestMemories = async (store: Store, vector: Float32Array, scopes?: readonly string[]) => {
    const memories = store.memoriesOf({ tenant: "t", scopes: EVERY_SCOPE });
    const near = await memories.nearestMemories({
      model: MODEL,
      vector,
      limit: 10,
      ...(scopes && { scopes }),
    });
    return near.map(({ ref }) => ref.number);
  };
  const nearestMessages = async (store: Store, vector: Float32Array, agent = "one") => {
    const near = await store
      .scoped({ tenant: "t", agent })
      .nearestMessages({ model: MODEL, vector, limit: 10 });
    return near.map(({ ref }) => ref.number);
  };
  const nearestByMeasuring = (question: Float32Array) =>
    vectors
      .map((vector, i) => ({ number: i + 1, cosine: cosine(question, vector) }))
      .toSorted((a, b) => b.cosine - a.cosine)
      .slice(0, 10)
      .map(({ number }) => number);

  it("finds the nearest without an index, by signs", async () => {
    const store = await openStore();
    for (const question of questions) {
      expect(await nearestMemories(store, question)).toEqual(nearestByMeasuring(question));
      expect(await nearestMessages(store, question)).toEqual(nearestByMeasuring(question));
    }
  });

  it("installs the extension and builds an index of each kind, once", async () => {
    const session = new Session(client);
    for (const set of SETS) {
      expect(await findIndex(session, set)).toBeUndefined();
      expect(await buildIndex(session, set)).toBe(true);
      expect(await buildIndex(session, set)).toBe(true);
      expect(await findIndex(session, set)).toMatchObject({ ...set, schema: "public", scansOn: true });
    }
  });

  it("asks the signs that the process holds before the index", async () => {
    const store = await openStore();
    for (const question of questions) await nearestMemories(store, question, ["global"]);
    await client.query("SELECT pg_stat_force_next_flush()");
    const { rows } = await client.query(
      "SELECT idx_scan::integer AS scans FROM pg_stat_user_indexes WHERE indexrelname = $1",
      [indexName({ owners: "memory", model: MODEL, dimensions: DIMENSIONS })],
    );
    // The first query of a process uses the index; from the second on, the sign bits are cached.
    expect(rows).toEqual([{ scans: 1 }]);
  });

  it("finds the same by the index, and goes through it", async () => {
    const store = await openStore();
    // Without sign bits, every result comes from the index.
    await client.query("DELETE FROM memory_vector_bits; DELETE FROM message_vector_bits");
    for (const question of questions) {
      expect(await nearestMemories(store, question)).toEqual(nearestByMeasuring(question));
      expect(await nearestMessages(store, question)).toEqual(nearestByMeasuring(question));
    }
    await client.query("SELECT pg_stat_force_next_flush()");
    const { rows } = await client.query(
      "SELECT indexrelname AS name, idx_scan::integer AS scans FROM pg_stat_user_indexes",
    );
    for (const set of SETS)
      expect(rows.find(({ name }) => name === indexName(set))?.scans).toBeGreaterThanOrEqual(
        questions.length,
      );
  });

  it("leaves out other scopes, other agents, and what is not in force", async () => {
    const store = await openStore();
    const [question] = questions;
    if (question === undefined) throw new Error("there is a question");
    expect(await nearestMemories(store, question, [OTHER_SCOPE])).toEqual([]);
    expect(await nearestMessages(store, question, "two")).toEqual([]);
    const memories = store.memoriesOf({ tenant: "t", scopes: EVERY_SCOPE });
    const [first = 0] = nearestByMeasuring(question);
    const [nearest] = await memories.memoriesAt([{ scope: "global", number: first }]);
    await memories.commit([sampleRevise(nearest?.id ?? "", { archivedAt: AT })]);
    expect(await nearestMemories(store, question)).not.toContain(first);
  });
});
