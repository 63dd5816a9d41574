import { execFileSync, spawnSync } from "node:child_process";
import { afterAll, describe, expect, it } from "vitest";
import { SILENT } from "../../../log.ts";
import { ThreadWhenNeeded } from "../../../threads/thread-when-needed.ts";
import { localEmbedder } from "./local-embedder.ts";

const PASSAGE = { purpose: "passage" } as const;
const embedder = localEmbedder({ log: SILENT });
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

  it("gives unit vectors of 384 dimensions for anything that is a text", async () => {
    const texts = ["", " ", "日本語", "🎉", "\ud800", "x".repeat(5000)];
    for (const vector of await embedder.embed(texts, PASSAGE)) {
      expect(vector).toHaveLength(384);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    }
    expect(embedder).toMatchObject({ model: "local/all-MiniLM-L6-v2#q8", dimensions: 384 });
  });

  it("leaves the event loop free", async () => {
    let beats = 0;
    const beat = setInterval(() => beats++, 1);
    await embedder.embed(Array(6).fill("words and more words ".repeat(60)), PASSAGE);
    clearInterval(beat);
    // A blocked event loop would allow one or two beats.
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
    const resting = localEmbedder({ log: SILENT, idleMs: 1 });
    const [before] = await resting.embed(["tea"], PASSAGE);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await resting.embed(["tea"], PASSAGE)).toEqual([before]);
    const waiting = resting.embed(["more tea"], PASSAGE);
    await Promise.all([expect(waiting).rejects.toMatchObject({ code: "cancelled" }), resting.close()]);
    await expect(resting.embed(["tea"], PASSAGE)).rejects.toThrow("the engine was closed");
  });

  /** In a separate process, which an abort would end with another exit code. */
  it.each([0, 20, 60])("lets a process end in the middle of its work, after %d ms", (pause) => {
    const program = `
      const { localEmbedder } = await import("./src/model/embed/local/local-embedder.ts");
      const { SILENT } = await import("./src/log.ts");
      const embedder = localEmbedder({ log: SILENT });
      await embedder.embed(["tea"], { purpose: "passage" });
      embedder.embed(Array(500).fill("many words ".repeat(200)), { purpose: "passage" }).catch(() => {});
      setTimeout(() => process.exit(7), ${pause});`;
    const { status } = spawnSync(process.execPath, ["--input-type=module", "-e", program]);
    expect(status).toBe(7);
  });

  it("can be closed in the middle of its work", async () => {
    for (const pause of [0, 200, 700]) {
      const busy = localEmbedder({ log: SILENT });
      const texts = Array(200).fill("many words ".repeat(300));
      const waiting = busy.embed(texts, PASSAGE).catch((error) => error.code);
      await new Promise((resolve) => setTimeout(resolve, pause));
      await busy.close();
      expect(await waiting).toBe("cancelled");
    }
  });

  it("says what to do when its files are not there", () => {
    const program = `
      const { registerHooks } = await import("node:module");
      const resolve = (name, context, next) => {
        if (name.endsWith("runtime.mjs")) throw new Error("Cannot find " + name);
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
    expect(message).toMatch(/Cannot find .*runtime\.mjs/);
    expect(advice).toContain("Install palimpsest again");
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
