import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { EVERY_SCOPE } from "../../memory-store.ts";
import { setSignBits } from "../../signs/sign-bits.ts";
import { sampleForget, sampleMemory, sampleRemember } from "../../testing/sample-memory.ts";
import { unitVector } from "../../testing/sample-vectors.ts";
import { DATABASE_NAME, openSqliteStore } from "../index.ts";
import { VECTORS_IN_A_PAGE } from "./vector-bits.ts";

const dataDir = mkdtempSync(path.join(tmpdir(), "palimpsest-bits-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

function signsOf(vector: Float32Array): Uint32Array {
  const bits = new Uint32Array(Math.ceil(vector.length / 32));
  setSignBits(vector, bits, 0);
  return bits;
}

describe("signs of vectors", () => {
  it("are zeroed in their page when a memory is erased, and the others are found after a restart", async () => {
    let store = await openSqliteStore({ dataDir });
    const access = { tenant: "t", scopes: EVERY_SCOPE } as const;
    const vectors = Array.from({ length: VECTORS_IN_A_PAGE + 50 }, (_, i) => unitVector(i + 1, 384));
    const writes = vectors.map((vector) =>
      sampleRemember(sampleMemory("global"), { vectors: { model: "m", vectors: [vector] } }),
    );
    await store.memoriesOf(access).commit(writes);
    const [gone, stays] = [vectors[700], vectors[701]];
    if (gone === undefined || stays === undefined) throw new Error("there are more vectors");
    const isInFile = (vector: Float32Array) =>
      readFileSync(path.join(dataDir, DATABASE_NAME)).includes(Buffer.from(signsOf(vector).buffer));
    await store.compactFiles();
    expect([isInFile(gone), isInFile(stays)]).toEqual([true, true]);
    await store.memoriesOf(access).commit([sampleForget([writes[700]?.memory.id ?? ""])]);
    await store.compactFiles();
    expect([isInFile(gone), isInFile(stays)]).toEqual([false, true]);
    await store.close();
    store = await openSqliteStore({ dataDir });
    const nearest = async (vector: Float32Array) =>
      (await store.memoriesOf(access).nearestMemories({ model: "m", vector, limit: 1 }))[0]?.ref.number;
    expect(await nearest(stays)).toBe(702);
    expect(await nearest(gone)).not.toBe(701);
    expect(await nearest(vectors.at(-1) ?? stays)).toBe(vectors.length);
    await store.close();
  });

  it("leave no page behind once all vectors of a model were pruned", async () => {
    const pruned = path.join(dataDir, "pruned");
    const store = await openSqliteStore({ dataDir: pruned });
    const memories = store.memoriesOf({ tenant: "t", scopes: EVERY_SCOPE });
    const count = VECTORS_IN_A_PAGE + 50;
    const vectorsOf = (model: string) => ({ model, vectors: [unitVector(1, 32)] });
    await memories.commit(
      Array.from({ length: count }, () =>
        sampleRemember(sampleMemory("global"), { vectors: vectorsOf("former") }),
      ),
    );
    const refs = Array.from({ length: count }, (_, index) => ({ scope: "global", number: index + 1 }));
    await memories.commit(refs.map((ref) => ({ kind: "vectors", ref, vectors: vectorsOf("present") })));
    const pages = () => {
      const database = new DatabaseSync(path.join(pruned, DATABASE_NAME), { readOnly: true });
      const rows = database
        .prepare("SELECT model FROM vector_bits JOIN vector_models USING (model_id) ORDER BY model")
        .all();
      database.close();
      return rows.map(({ model }) => model);
    };
    expect(pages()).toContain("former");
    const [result] = await memories.commit([{ kind: "prune-vectors", keep: "present", refs }]);
    expect(result).toEqual({ kind: "prune-vectors", vectors: count });
    expect(pages()).not.toContain("former");
    await store.close();
  });
});
