/**
 * The statements for pgvector, on a PostgreSQL that has it: PGlite, where its packages are installed. Everywhere else
 * the server of the other tests has no such extension, and these are passed over.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clusteredVectors, cosine } from "../../testing/sample-vectors.ts";
import { schemaSql } from "../migrate.ts";
import { buildIndex, findIndex, type VectorIndex } from "../vectors/build-vector-index.ts";
import { signText } from "../vectors/vector-bytes.ts";
import { nearestStatement } from "./candidates-by-index.ts";

interface Database {
  query(sql: string, values?: readonly unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  exec(sql: string): Promise<unknown>;
  close(): Promise<void>;
}

type Pglite = { PGlite: { create(options: object): Promise<Database> } };

/** Not named where the compiler would look for them. */
const PACKAGES = ["@electric-sql/pglite", "@electric-sql/pglite-pgvector"];

async function openPglite(): Promise<Database | undefined> {
  try {
    const [pglite, pgvector] = await Promise.all(PACKAGES.map((name) => import(/* @vite-ignore */ name)));
    return await (pglite as Pglite).PGlite.create({ extensions: { vector: pgvector.vector } });
  } catch {
    return undefined;
  }
}

const DIMENSIONS = 64;
const COUNT = 500;

describe("with pgvector", async () => {
  const database = await openPglite();
  const vectors = clusteredVectors({ count: COUNT, clusters: 12, dimensions: DIMENSIONS, seed: 5 });
  let index: VectorIndex | undefined;

  beforeAll(async () => {
    if (database === undefined) return;
    await database.exec("CREATE SCHEMA palimpsest; SET search_path = palimpsest");
    await database.exec(schemaSql());
    await database.query("INSERT INTO memory_scopes VALUES ('t', 'global', $1)", [COUNT]);
    for (const [i, vector] of vectors.entries()) await insert(database, i + 1, vector);
    const statements = statementsOn(database);
    const set = { owners: "memory", model: "it's a model", dimensions: DIMENSIONS } as const;
    await buildIndex(statements, set);
    index = await findIndex(statements, set);
  });
  afterAll(() => database?.close());

  const nearest = async (query: Float32Array, limit: number, scopes: readonly string[] | null = null) => {
    if (database === undefined || index === undefined) throw new Error("there is no index");
    const statement = nearestStatement(index, { model: index.model, vector: query, limit });
    const values = ["t", scopes, `[${query.join(",")}]`, limit];
    const { rows } = await database.query(statement, values);
    return rows.map((row) => Number(row.number));
  };

  it.skipIf(database === undefined)("installs the extension and builds an index, once", async () => {
    expect(index).toMatchObject({ model: "it's a model", dimensions: DIMENSIONS, schema: "public" });
  });

  it.skipIf(database === undefined)(
    "finds the nearest by the index, as measuring all of them does",
    async () => {
      await database?.exec("SET hnsw.ef_search = 400; SET enable_seqscan = off; SET enable_sort = off");
      for (const query of clusteredVectors({
        count: 5,
        clusters: 12,
        dimensions: DIMENSIONS,
        seed: 5,
        skip: COUNT,
      })) {
        const exact = vectors
          .map((vector, i) => ({ number: i + 1, cosine: cosine(query, vector) }))
          .toSorted((a, b) => b.cosine - a.cosine)
          .slice(0, 10)
          .map(({ number }) => number);
        expect((await nearest(query, 400)).slice(0, 10)).toEqual(exact);
      }
      const [query = new Float32Array(DIMENSIONS)] = vectors;
      const { rows } = await (database as Database).query(
        `EXPLAIN ${nearestStatement(index as VectorIndex, { model: "it's a model", vector: query, limit: 10 })
          .replaceAll("$1", "'t'")
          .replaceAll("$2", "NULL")
          .replaceAll("$3", `'[${query.join(",")}]'`)
          .replaceAll("$4", "10")}`,
      );
      expect(JSON.stringify(rows)).toContain("Index Scan using memory_vectors_");
    },
  );

  it.skipIf(database === undefined)("leaves out other scopes and what is not in force", async () => {
    expect(await nearest(vectors[0] as Float32Array, 10, ["user:other"])).toEqual([]);
    await database?.query("UPDATE memories SET archived_at = now() WHERE number = 1");
    expect(await nearest(vectors[0] as Float32Array, 400)).not.toContain(1);
  });
});

async function insert(database: Database, number: number, vector: Float32Array): Promise<void> {
  await database.query(
    `INSERT INTO memories (tenant, scope, number, uid, category, tier, importance, confidence, temporal_type, abstract,
       overview, content, tags, support, origin, created_at, updated_at, valid_from)
     VALUES ('t', 'global', $1, $2, 'cases', 'core', 1, 1, 'static', 'a', '', '', '{}', '[]', 'manual',
       now(), now(), now())`,
    [number, `mem_${number}`],
  );
  const key = ["t", "global", number, "it's a model", 0];
  await database.query("INSERT INTO memory_vectors VALUES ($1, $2, $3, $4, $5, $6)", [
    ...key,
    new Uint8Array(vector.buffer),
  ]);
  await database.query("INSERT INTO memory_vector_bits VALUES ($1, $2, $3, $4, $5, true, $6::varbit)", [
    ...key,
    signText(vector),
  ]);
}

/** The part of a session that building needs. */
function statementsOn(database: Database): Parameters<typeof buildIndex>[0] {
  const rows = async <Row>(sql: string, ...values: readonly unknown[]) =>
    (await database.query(sql, values)).rows as Row[];
  return {
    rows,
    one: async <Row>(sql: string, ...values: readonly unknown[]) => (await rows<Row>(sql, ...values))[0],
    script: async (sql) => {
      await database.exec(sql);
      return "";
    },
  };
}
