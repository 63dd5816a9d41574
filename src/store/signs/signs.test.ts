import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import wabt from "wabt";
import { unitVector } from "../testing/sample-vectors.ts";
import { nearestByDistance, SignProduct } from "./hamming.ts";
import { setSignBits } from "./sign-bits.ts";
import { HAMMING, SignMemory } from "./sign-memory.ts";

describe("signs of vectors", () => {
  it("are compared by what hamming.wat says", async () => {
    const source = readFileSync(new URL("./hamming.wat", import.meta.url), "utf8");
    const { buffer } = (await wabt()).parseWat("hamming.wat", source).toBinary({});
    expect(Buffer.from(buffer).toString("base64")).toBe(HAMMING);
  });

  it.each([5, 32, 96, 100, 384, 1_536])("are compared right in %i dimensions", (dimensions) => {
    const vectors = Array.from({ length: 20 }, (_, i) => unitVector(i, dimensions));
    const query = unitVector(99, dimensions);
    const signs = new SignMemory(dimensions);
    vectors.forEach((vector, index) => {
      signs.reserve(index + 1);
      setSignBits(vector, signs.bits, index * signs.words);
      expect(signs.distancesTo(vector, index + 1)[index]).toBe(0);
    });
    const distances = signs.distancesTo(query, vectors.length);
    const differing = (vector: Float32Array) =>
      vector.filter((value, i) => value > 0 !== (query[i] ?? 0) > 0).length;
    expect([...distances]).toEqual(vectors.map(differing));
    const products = new SignProduct(query, signs.words).withAll(
      signs.bits,
      Uint32Array.from(vectors.keys()),
    );
    const exact = (vector: Float32Array) =>
      query.reduce((sum, q, i) => sum + ((vector[i] ?? 0) > 0 ? q : -q), 0);
    vectors.forEach((vector, index) => {
      expect(products[index]).toBeCloseTo(exact(vector), 4);
    });
    const nearest = nearestByDistance(distances, vectors.length, dimensions, 5);
    const limit = distances.toSorted()[4] ?? 0;
    expect([...nearest]).toEqual([...vectors.keys()].filter((index) => (distances[index] ?? 0) <= limit));
  });
});
