import { afterEach, describe, expect, it } from "vitest";
import { fakeTime } from "../../../test/scripted-complete.ts";
import { embedAll, startEmbeddings, textsOf, vectorOf, vectors } from "../../../test/scripted-embeddings.ts";
import type { JsonServer } from "../../../test/scripted-json-server.ts";
import { configSchema } from "../../config/schema.ts";
import { isPalimpsestError } from "../../errors.ts";
import { SILENT } from "../../log.ts";
import { wait } from "../wait.ts";
import type { ModelCall } from "../with-usage-log.ts";
import type { Embedder, HostEmbedder } from "./embedder.ts";
import { openEmbedder } from "./open-embedder.ts";

const SECRET = "sk-configured-0123456789";
const PASSAGE = { purpose: "passage" } as const;
const QUERY = { purpose: "query" } as const;
const servers: JsonServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

function openWith(config: object, host: HostEmbedder | null = null) {
  const settings = configSchema.parse(config);
  const [time, calls] = [fakeTime(), [] as ModelCall[]];
  const opened = openEmbedder(settings, {
    keys: {},
    clock: time.clock,
    // The short time limit runs in real time; pauses between retries do not.
    wait: (ms, signal) => (ms === settings.embeddingTimeoutMs ? wait(ms, signal) : time.wait(ms, signal)),
    chance: () => 1,
    onCall: (call) => calls.push(call),
    log: SILENT,
    host,
  });
  if (opened === null) throw new Error("an embedder is configured");
  const embedder: Embedder = opened;
  return { embedder, calls, time };
}

async function openRemote(answer: Parameters<typeof startEmbeddings>[0] = embedAll, config: object = {}) {
  const server = await startEmbeddings(answer);
  servers.push(server);
  const remote = { embeddingModel: "openai-compatible/m", embeddingBaseUrl: `${server.url}/v1` };
  return { server, ...openWith({ ...remote, embeddingApiKey: SECRET, ...config }) };
}

function unit(numbers: readonly number[]): Float32Array {
  const length = Math.hypot(...numbers);
  return Float32Array.from(numbers, (value) => value / length);
}

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error("it did not fail");
    },
    (error: unknown) => {
      if (!isPalimpsestError(error)) throw error;
      return error;
    },
  );

describe("the configured embedder", () => {
  it("is none when it is switched off", () => {
    const around = { keys: {}, clock: () => 0, wait, chance: () => 0, onCall: () => {}, log: SILENT };
    expect(openEmbedder(configSchema.parse({ embeddingModel: "off" }), around)).toBeNull();
  });

  it("is the local one by default, and starts nothing by being opened", async () => {
    const { embedder } = openWith({});
    expect(embedder.model).toMatch(/^local\/all-MiniLM-L6-v2/);
    expect(embedder.dimensions).toBe(384);
    await embedder.close();
  });

  it.each(["openai/m", "openrouter/vendor/m", "ollama/m", "openai-compatible/m", "google/m"])(
    "embeds with %s, in order, as unit vectors",
    async (embeddingModel) => {
      const { embedder, server, calls } = await openRemote(embedAll, { embeddingModel });
      expect(embedder.dimensions).toBeNull();
      const texts = ["tea", "a longer text about tea"];
      const embedded = await embedder.embed(texts, PASSAGE);
      for (const [place, text] of texts.entries()) expect(embedded[place]).toEqual(unit(vectorOf(text)));
      expect(embedder).toMatchObject({ model: embeddingModel, dimensions: 3 });
      expect(calls).toMatchObject([{ model: embeddingModel, purpose: "embedding", outcome: "stop" }]);
      const { authorization, "x-goog-api-key": google } = server.requests[0]?.headers ?? {};
      expect(authorization ?? google).toContain(SECRET);
    },
  );

  it("tells Google whether a text is looked for or looked through", async () => {
    const { embedder, server } = await openRemote(embedAll, { embeddingModel: "google/m" });
    await embedder.embed(["one"], QUERY);
    await embedder.embed(["one", "two"], PASSAGE);
    const bodies = server.requests.map(({ body }) => JSON.stringify(body));
    expect(bodies[0]).toContain("RETRIEVAL_QUERY");
    expect(bodies[1]).toContain("RETRIEVAL_DOCUMENT");
  });

  it.each([
    ["nomic-embed-text", "search_query: tea", "search_document: tea"],
    ["vendor/multilingual-e5-large", "query: tea", "passage: tea"],
    ["text-embedding-3-small", "tea", "tea"],
  ])("tells %s in words, if it was trained so", async (model, query, passage) => {
    const { embedder, server } = await openRemote(embedAll, { embeddingModel: `openai-compatible/${model}` });
    await embedder.embed(["tea"], QUERY);
    await embedder.embed(["tea"], PASSAGE);
    expect(server.requests.map(textsOf)).toEqual([[query], [passage]]);
  });

  it("asks for dimensions, which are part of what vectors are known by", async () => {
    const { embedder, server } = await openRemote(embedAll, { embeddingDimensions: 5 });
    expect(embedder).toMatchObject({ model: "openai-compatible/m@5", dimensions: 5 });
    expect((await embedder.embed(["tea"], PASSAGE))[0]).toHaveLength(5);
    expect(server.requests[0]?.body).toMatchObject({ dimensions: 5 });
  });

  it("sends batches, and nothing for nothing", async () => {
    const { embedder, server, calls } = await openRemote();
    expect(await embedder.embed([], PASSAGE)).toEqual([]);
    const texts = Array.from({ length: 150 }, (_, n) => "x".repeat(n));
    const embedded = await embedder.embed(texts, PASSAGE);
    expect(embedded[149]).toEqual(unit(vectorOf(texts[149] ?? "")));
    expect(server.requests.map((request) => textsOf(request).length)).toEqual([64, 64, 22]);
    await embedder.embed(Array(3).fill("y".repeat(60_000)), PASSAGE);
    expect(server.requests).toHaveLength(6);
    expect(calls).toHaveLength(6);
    expect(calls[0]).toMatchObject({ inputTokens: 7 });
  });

  it("embeds the last 256 questions once, and passages whenever it is asked", async () => {
    const { embedder, server } = await openRemote();
    const [first] = await embedder.embed(["tea", "tea"], QUERY);
    first?.fill(0);
    expect(await embedder.embed(["tea"], QUERY)).toEqual([unit(vectorOf("tea"))]);
    expect(server.requests.map(textsOf)).toEqual([["tea"]]);
    const others = Array.from({ length: 256 }, (_, n) => `question ${n}`);
    await embedder.embed(others.slice(0, 255), QUERY);
    await embedder.embed(["tea"], QUERY);
    const before = server.requests.length;
    await embedder.embed(others.slice(255), QUERY);
    await embedder.embed(["tea"], QUERY);
    expect(server.requests).toHaveLength(before + 1);
    await embedder.embed(others.slice(0, 1), QUERY);
    expect(server.requests).toHaveLength(before + 2);
    for (const _ of [1, 2]) await embedder.embed(["tea"], PASSAGE);
    expect(server.requests).toHaveLength(before + 4);
  });
});

describe("an embedding call that fails", () => {
  it("is repeated when the service is overloaded, and each attempt is recorded", async () => {
    const busy = { status: 429, headers: { "retry-after": "3" }, body: { error: { message: "slow down" } } };
    const { embedder, calls, time } = await openRemote((texts, request, index) =>
      index === 0 ? busy : embedAll(texts, request, index),
    );
    expect(await embedder.embed(["tea"], PASSAGE)).toHaveLength(1);
    expect(calls.map(({ outcome }) => outcome)).toEqual(["model-unavailable", "stop"]);
    expect(time.waits).toEqual([3000]);
  });

  it("is not repeated when the key is refused, and opens the circuit", async () => {
    const { embedder, server } = await openRemote(
      () => ({ status: 401, body: { error: { message: `bad key ${SECRET}` } } }),
      { circuitBreakerThreshold: 2 },
    );
    const failures = [];
    for (const _ of [1, 2, 3]) failures.push(await failureOf(embedder.embed(["tea"], PASSAGE)));
    expect(failures.map(({ code }) => code)).toEqual([
      "model-authentication",
      "model-authentication",
      "model-unavailable",
    ]);
    expect(server.requests).toHaveLength(2);
    expect(JSON.stringify(failures.map(({ message, advice }) => [message, advice]))).not.toContain(SECRET);
  });

  it("says which variable or setting is missing", async () => {
    const error = await failureOf(openWith({ embeddingModel: "openai/m" }).embedder.embed(["tea"], PASSAGE));
    expect(error).toMatchObject({ code: "model-authentication" });
    expect(error.advice).toBe("Set OPENAI_API_KEY or embeddingApiKey.");
  });

  it("is given up after its time, with the setting that gives it more", async () => {
    const { embedder } = await openRemote(() => "hang", { embeddingTimeoutMs: 30 });
    const error = await failureOf(embedder.embed(["tea"], PASSAGE));
    expect(error.message).toContain("did not answer within 0.03 s");
    expect(error.advice).toContain("embeddingTimeoutMs");
  });

  it("ends with the caller's signal", async () => {
    const { embedder } = await openRemote(() => "hang");
    const waiting = embedder.embed(["tea"], { ...PASSAGE, signal: AbortSignal.timeout(30) });
    expect((await failureOf(waiting)).code).toBe("cancelled");
  });

  it.each([
    ["too few vectors", vectors([]), /no usable answer/],
    [
      "vectors of two lengths",
      vectors([
        { index: 0, embedding: [1, 2] },
        { index: 1, embedding: [1] },
      ]),
      /1 dimensions instead of 2/,
    ],
    ["nothing but zeros", vectors(Array(2).fill({ index: 0, embedding: [0, 0] })), /a vector of zeros/],
    ["an empty vector", vectors(Array(2).fill({ index: 0, embedding: [] })), /not a vector/],
    ["no numbers", vectors(Array(2).fill({ index: 0, embedding: ["x", null] })), /no usable answer/],
    ["no JSON", { words: "<html>" }, /no usable answer/],
    ["another shape", { body: { hello: 1 } }, /no usable answer/],
  ] as const)("refuses %s with advice", async (_, answer, message) => {
    const { embedder } = await openRemote(() => answer);
    const error = await failureOf(embedder.embed(["one", "two"], PASSAGE));
    expect(error).toMatchObject({ code: "model-unavailable", message: expect.stringMatching(message) });
    expect(error.advice).toMatch(/embedding/);
  });

  it("refuses dimensions that were not asked for, now or before", async () => {
    const asked = await openRemote(() => vectors([{ index: 0, embedding: [1, 2] }]), {
      embeddingDimensions: 5,
    });
    const error = await failureOf(asked.embedder.embed(["x"], PASSAGE));
    expect(error.message).toContain("2 dimensions instead of 5");
    const changed = await openRemote((_texts, _request, index) =>
      vectors([{ index: 0, embedding: Array(index + 2).fill(1) }]),
    );
    await changed.embedder.embed(["x"], PASSAGE);
    expect((await failureOf(changed.embedder.embed(["x"], PASSAGE))).message).toContain(
      "3 dimensions instead of 2",
    );
  });
});

describe("a host's embedder", () => {
  const embed: HostEmbedder["embed"] = async (texts) => texts.map((text) => vectorOf(text));

  it("takes the place of the configured one, and is checked and recorded as it is", async () => {
    const seen: unknown[] = [];
    const host: HostEmbedder = {
      model: "host/mine",
      embed: (texts, options) => {
        seen.push(options.purpose);
        return embed(texts, options);
      },
    };
    const { embedder, calls } = openWith({ embeddingModel: "off" }, host);
    expect(await embedder.embed(["tea"], QUERY)).toEqual([unit(vectorOf("tea"))]);
    expect(embedder).toMatchObject({ model: "host/mine", dimensions: 3, longestInput: 512 });
    expect([seen, calls[0]?.model]).toEqual([["query"], "host/mine"]);
  });

  it.each([
    ["throws", () => Promise.reject(new Error("boom")), /host\/mine returned no usable answer: boom/],
    ["never answers", () => new Promise<never>(() => {}), /did not answer within/],
    ["gives NaN", async () => [[Number.NaN, 1]], /not numbers/],
    ["gives too few", async () => [], /0 vectors for 1 texts/],
    ["gives nothing", async () => undefined as never, /no list of vectors/],
  ] as const)("that %s fails in our words", async (_, broken, message) => {
    const { embedder } = openWith({ embeddingTimeoutMs: 30 }, { model: "host/mine", embed: broken });
    const error = await failureOf(embedder.embed(["tea"], PASSAGE));
    expect(error).toMatchObject({ code: "model-unavailable", message: expect.stringMatching(message) });
  });

  it("must say what its vectors are known by", () => {
    expect(() => openWith({}, { model: " ", embed })).toThrow("has no model");
  });

  it("is given texts only", async () => {
    const { embedder } = openWith({}, { model: "host/mine", embed });
    const error = await failureOf(embedder.embed([1 as unknown as string], PASSAGE));
    expect(error.code).toBe("invalid-input");
  });
});
