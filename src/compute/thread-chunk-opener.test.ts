import type { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it } from "vitest";
import type { ChunkOpener } from "../context/compact/chunks/chunk-opener.ts";
import type { Answer, ChunkTerms } from "../context/compact/chunks/chunk-work.ts";
import { inlineChunkOpener } from "../context/compact/chunks/inline-chunk-opener.ts";
import type { UnreadMessage, UnreadSource } from "../context/compact/source.ts";
import { summary } from "../context/compact/testing/source-samples.ts";
import { SILENT } from "../log.ts";
import { estimateTokens } from "../text/estimate-tokens.ts";
import { encodeUtf8 } from "../text/utf8.ts";
import { endIdleWorkers } from "../threads/idle-workers.ts";
import { Compute } from "./compute.ts";

const TERMS: ChunkTerms = { timezone: "Europe/Berlin", sourceTokens: 4_000, target: 400, isShort: false };
const ANSWER: Answer = {
  text: "<think>hm</think>The port is 8443. Never delete src/turn-3.ts.",
  targetTokens: 400,
  overageFactor: 3,
  told: "",
};

function said(seq: number, original: string | Uint8Array): UnreadMessage {
  const createdAt = `2026-03-09T08:${String(seq).padStart(2, "0")}:00.000Z`;
  const content = typeof original === "string" ? encodeUtf8(original) : new Uint8Array(original);
  return { seq, role: "user", createdAt, tokenCount: 100, format: "message", fileIds: [], content };
}

const words = (seq: number) =>
  `Turn ${seq} is about ports. We decided to take port ${8440 + seq}. You must never delete src/turn-${seq}.ts, and ` +
  `file_0123456789abcde${seq % 10} holds 日本語のログ of ${seq}.5 MB.`;

/** Created for each call, because opening it transfers its bytes. */
const leaf = (): UnreadSource => ({
  kind: "leaf",
  messages: Array.from({ length: 40 }, (_, seq) =>
    said(seq, JSON.stringify({ role: "user", content: words(seq) })),
  ),
});
const condensed = (): UnreadSource => ({
  kind: "condensed",
  depth: 1,
  summaries: [1, 2, 3].map((place) =>
    summary(place, `user: ${words(place)}\nExpand for details about: ports`),
  ),
  fileIds: ["file_0123456789abcdef"],
});

/** Records threads that are started from now on. */
async function watchThreads(): Promise<{ readonly started: Worker[]; stop(): void }> {
  await endIdleWorkers();
  const started: Worker[] = [];
  const add = (worker: Worker) => started.push(worker);
  process.on("worker", add);
  return { started, stop: () => process.off("worker", add) };
}

async function everything(chunkOpener: ChunkOpener, source: UnreadSource, terms = TERMS): Promise<unknown> {
  const chunk = await chunkOpener.open(source, terms);
  const { text, fileIds } = chunk;
  const invented = { ...ANSWER, text: "It listens on port 9999." };
  const answers = [await chunk.take(ANSWER), await chunk.take(invented), await chunk.offline()];
  chunk.release();
  return { text, fileIds, answers };
}

describe("a chunk opener", () => {
  const open: Compute[] = [];
  afterEach(async () => {
    for (const compute of open.splice(0)) await compute.close();
  });
  function inThread(): ChunkOpener {
    const compute = new Compute(SILENT);
    open.push(compute);
    return compute.chunkOpener;
  }
  const kinds: readonly (readonly [string, () => ChunkOpener])[] = [
    ["in a thread", inThread],
    ["right here", () => inlineChunkOpener(estimateTokens)],
  ];

  it.each([
    ["messages", leaf, TERMS],
    ["messages that are kept word for word", leaf, { ...TERMS, isShort: true }],
    ["messages of which no summary is shorter", leaf, { ...TERMS, sourceTokens: 60 }],
    ["summaries", condensed, TERMS],
  ] as const)("makes the same of %s in a thread as right here", async (_, source, terms) => {
    const here = await everything(inlineChunkOpener(estimateTokens), source(), terms);
    expect(await everything(inThread(), source(), terms)).toEqual(here);
    expect(JSON.stringify(here)).toContain("8443");
  });

  it("starts its thread with the first chunk, and only one for many", async () => {
    const threads = await watchThreads();
    const chunkOpener = inThread();
    expect(threads.started.length).toBe(0);
    await Promise.all([chunkOpener.open(leaf(), TERMS), chunkOpener.open(leaf(), TERMS)]);
    threads.stop();
    expect(threads.started.length).toBe(1);
  });

  it.each(kinds)("says what is damaged with the code and advice of the store, %s", async (_, make) => {
    const damaged: UnreadSource = { kind: "leaf", messages: [said(1, '{"role":')] };
    const chunkOpener = make();
    await expect(chunkOpener.open(damaged, TERMS)).rejects.toMatchObject({
      name: "PalimpsestError",
      code: "store-corrupt",
      advice: "List what is damaged with: lcm verify",
    });
    expect((await chunkOpener.open(leaf(), TERMS)).text).toContain("8443");
  });

  it.each(kinds)("stops for whoever cancels, and goes on for others, %s", async (_, make) => {
    const chunkOpener = make();
    const abort = new AbortController();
    const chunk = await chunkOpener.open(leaf(), TERMS, abort.signal);
    const other = await chunkOpener.open(leaf(), TERMS);
    abort.abort();
    await expect(chunk.offline()).rejects.toMatchObject({ code: "cancelled" });
    await expect(chunkOpener.open(leaf(), TERMS, abort.signal)).rejects.toMatchObject({ code: "cancelled" });
    expect((await other.offline()).quality).toBe("extractive");
  });

  it("does not wait for its thread once it is cancelled", async () => {
    const chunkOpener = inThread();
    const abort = new AbortController();
    const other = await chunkOpener.open(leaf(), TERMS);
    const first = other.offline();
    const opening = chunkOpener.open(leaf(), TERMS, abort.signal);
    abort.abort();
    const ended: string[] = [];
    await Promise.all([
      opening.catch(({ code }) => ended.push(code)),
      first.then(({ quality }) => ended.push(quality)),
    ]);
    expect(ended).toEqual(["cancelled", "extractive"]);
  });

  it("ends in the middle of its work when it is closed", async () => {
    const compute = new Compute(SILENT);
    const { chunkOpener } = compute;
    const chunk = await chunkOpener.open(leaf(), TERMS);
    const outcomes = Promise.allSettled([chunk.offline(), chunkOpener.open(leaf(), TERMS)]);
    await compute.close();
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({ status: "rejected", reason: { code: "cancelled" } });
    await expect(chunkOpener.open(leaf(), TERMS)).rejects.toMatchObject({ code: "cancelled" });
  });

  it("is closed while its thread starts", async () => {
    const compute = new Compute(SILENT);
    const { chunkOpener } = compute;
    const opening = chunkOpener.open(leaf(), TERMS).catch(({ code }) => code);
    await compute.close();
    expect(await opening).toBe("cancelled");
  });

  it("starts another thread when one has stopped by itself", async () => {
    const threads = await watchThreads();
    const chunkOpener = inThread();
    const chunk = await chunkOpener.open(leaf(), TERMS);
    await threads.started[0]?.terminate();
    threads.stop();
    await expect(chunk.offline()).rejects.toMatchObject({ code: "internal" });
    expect((await chunkOpener.open(leaf(), TERMS)).text).toContain("8443");
  });
});
