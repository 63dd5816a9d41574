import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { freshDatabase } from "../../../../test/start-postgres.ts";
import { unitVector } from "../../testing/sample-vectors.ts";
import { openPostgresStore } from "../index.ts";
import { signBitArray, signText, vectorArray, vectorsByPlace } from "./vector-bytes.ts";

describe("vectors in the database", () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let client: pg.Client;

  beforeAll(async () => {
    database = await freshDatabase(inject("postgresUrl"));
    await (await openPostgresStore({ url: database.url })).close();
    client = new pg.Client(database.url);
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const special = Float32Array.of(0, -0, 1, -1, 1e-45, -1.1754942e-38, 3.4028235e38, 1 / 3, -2.5e-7);
  const vectors = [special, unitVector(3, 384), Float32Array.of(-1), unitVector(4, 1_000).subarray(3, 900)];

  it("come back as they were, also from the middle of another", async () => {
    const { rows } = await client.query(
      "SELECT place::integer, encode(v, 'base64') AS vector FROM unnest($1::bytea[]) WITH ORDINALITY AS w(v, place)",
      [vectorArray(vectors)],
    );
    const back = vectors.map((vector) => [Float32Array.from(vector)]);
    expect(vectorsByPlace(rows, 5)).toEqual([...back, []]);
    const twice = rows.map(({ vector }, i) => ({ place: i < 2 ? 1 : 2, vector }));
    expect(vectorsByPlace(twice, 2)).toEqual([back.slice(0, 2).flat(), back.slice(2).flat()]);
    expect(vectorsByPlace([], 1)).toEqual([[]]);
  });

  it("are the same floats for an index", async () => {
    const { rows } = await client.query(
      "SELECT palimpsest.vector_floats(v)::float8[] AS floats FROM unnest($1::bytea[]) AS v",
      [vectorArray(vectors)],
    );
    // Adding 0 turns negative zero into zero.
    expect(rows.map(({ floats }) => floats.map((float: number) => float + 0))).toEqual(
      vectors.map((vector) => Array.from(vector, (float) => float + 0)),
    );
  });

  it("have the same signs by both ways of writing them", async () => {
    const { rows } = await client.query("SELECT b::text FROM unnest($1::varbit[]) AS b", [
      signBitArray(vectors),
    ]);
    expect(rows.map(({ b }) => b)).toEqual(vectors.map(signText));
  });
});
