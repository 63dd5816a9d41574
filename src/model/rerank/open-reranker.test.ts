import { afterEach, describe, expect, it } from "vitest";
import { fakeTime } from "../../../test/scripted-complete.ts";
import {
  type JsonAnswer,
  type JsonRequest,
  type JsonServer,
  startJsonServer,
} from "../../../test/scripted-json-server.ts";
import { configSchema } from "../../config/schema.ts";
import { wait } from "../wait.ts";
import type { ModelCall } from "../with-usage-log.ts";
import { openReranker } from "./open-reranker.ts";
import type { HostRerank, Rerank } from "./rerank.ts";

const SECRET = "configured-0123456789";
const DOCUMENTS = ["about ships", "about tea", "about coffee"];
const servers: JsonServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

function openWith(config: object, host: HostRerank | null = null) {
  const settings = configSchema.parse(config);
  const [time, calls] = [fakeTime(), [] as ModelCall[]];
  const opened = openReranker(settings, {
    keys: {},
    clock: time.clock,
    wait,
    chance: () => 1,
    onCall: (call) => calls.push(call),
    host,
  });
  if (opened === null) throw new Error("a reranker is configured");
  const rerank: Rerank = opened;
  return { rerank, calls };
}

async function openService(
  rerankProvider: string,
  answer: (request: JsonRequest, index: number) => JsonAnswer,
  config: object = {},
) {
  const server = await startJsonServer(answer);
  servers.push(server);
  const service = { rerankProvider, rerankEndpoint: `${server.url}/rerank`, rerankApiKey: SECRET };
  return { server, ...openWith({ ...service, ...config }) };
}

const ranked = (field: string, ...scores: readonly (readonly [index: number, score: number])[]) =>
  scores.map(([index, score]) => ({ index, [field]: score }));
const RESULTS = ranked("relevance_score", [2, 0.3], [1, 0.9]);

interface Format {
  readonly provider: string;
  readonly body: object;
  readonly headers: object;
  readonly answer: unknown;
  readonly ranking?: object;
  readonly tokens?: number | null;
}

const common = { query: "When is tea?", documents: DOCUMENTS, return_documents: false };
const bearer = { authorization: `Bearer ${SECRET}` };
const FORMATS: readonly Format[] = [
  {
    provider: "jina",
    body: { ...common, model: "jina-reranker-v3", top_n: 2 },
    headers: bearer,
    answer: { model: "m", results: RESULTS, usage: { total_tokens: 12 } },
    tokens: 12,
  },
  {
    provider: "siliconflow",
    body: { ...common, model: "BAAI/bge-reranker-v2-m3", top_n: 2 },
    headers: bearer,
    answer: { id: "1", results: RESULTS, meta: { tokens: { input_tokens: 9, output_tokens: 0 } } },
    tokens: 9,
  },
  {
    provider: "voyage",
    body: { ...common, model: "rerank-2.5", top_k: 2, truncation: true },
    headers: bearer,
    answer: { object: "list", data: RESULTS, usage: { total_tokens: 5 } },
    tokens: 5,
  },
  {
    provider: "pinecone",
    body: {
      ...common,
      model: "bge-reranker-v2-m3",
      documents: DOCUMENTS.map((text) => ({ text })),
      top_n: 2,
      parameters: { truncate: "END" },
    },
    headers: { "api-key": SECRET, "x-pinecone-api-version": "2025-10" },
    answer: { model: "m", data: ranked("score", [1, 0.9], [2, 0.3]), usage: { rerank_units: 1 } },
    tokens: null,
  },
  {
    provider: "dashscope",
    body: {
      model: "gte-rerank-v2",
      input: { query: "When is tea?", documents: DOCUMENTS },
      parameters: { top_n: 2, return_documents: false },
    },
    headers: bearer,
    answer: { output: { results: RESULTS }, usage: { total_tokens: 79 }, request_id: "r" },
    tokens: 79,
  },
  {
    provider: "tei",
    body: { query: "When is tea?", texts: DOCUMENTS, raw_scores: true, return_text: false, truncate: true },
    headers: bearer,
    answer: ranked("score", [0, -8], [1, 2], [2, 0]),
    ranking: [
      { index: 1, score: expect.closeTo(0.8808, 4) },
      { index: 2, score: 0.5 },
    ],
    tokens: null,
  },
];

const ask = (rerank: Rerank, topN = 2) => rerank("When is tea?", DOCUMENTS, { topN });

describe("the configured reranker", () => {
  it("is none by default", () => {
    const around = { keys: {}, clock: () => 0, wait, chance: () => 0, onCall: () => {} };
    expect(openReranker(configSchema.parse({}), around)).toBeNull();
  });

  it.each(FORMATS)("asks $provider in its words and reads its answer", async (format) => {
    const { rerank, server, calls } = await openService(format.provider, () => ({ body: format.answer }));
    const usual = [
      { index: 1, score: 0.9 },
      { index: 2, score: 0.3 },
    ];
    expect(await ask(rerank)).toEqual({ ok: true, ranking: format.ranking ?? usual });
    expect(server.requests[0]).toMatchObject({ headers: format.headers, path: "/rerank" });
    expect(server.requests[0]?.body).toEqual(format.body);
    expect(calls).toMatchObject([{ purpose: "reranking", outcome: "stop", inputTokens: format.tokens }]);
  });

  it("keeps scores between 0 and 1, and equal ones in the order of the search", async () => {
    const results = ranked("relevance_score", [2, 1.5], [1, -0.2], [0, 7]);
    const { rerank } = await openService("jina", () => ({ body: { results } }));
    const ranking = [
      { index: 0, score: 1 },
      { index: 2, score: 1 },
      { index: 1, score: 0 },
    ];
    expect(await ask(rerank, 9)).toEqual({ ok: true, ranking });
  });

  it("asks in batches where a service takes no more, and puts them in one order", async () => {
    const { rerank, server } = await openService("tei", ({ body }) => {
      const { texts } = body as { texts: string[] };
      return { body: texts.map((text, index) => ({ index, score: Number(text) })) };
    });
    const outcome = await rerank(
      "q",
      Array.from({ length: 70 }, (_, n) => `${n / 10}`),
      { topN: 3 },
    );
    expect(outcome).toMatchObject({ ok: true, ranking: [{ index: 69 }, { index: 68 }, { index: 67 }] });
    expect(server.requests).toHaveLength(3);
  });

  it.each([0, -1])("asks nobody for the best %d, nor about nothing", async (topN) => {
    const { rerank, server } = await openService("jina", () => "hang");
    expect(await ask(rerank, topN)).toEqual({ ok: true, ranking: [] });
    expect(await rerank("q", [], { topN: 5 })).toEqual({ ok: true, ranking: [] });
    expect(server.requests).toEqual([]);
  });
});

describe("a reranker that fails", () => {
  const results = (...list: readonly unknown[]): JsonAnswer => ({ body: { results: list } });
  const FAILURES: readonly (readonly [string, JsonAnswer, string])[] = [
    ["a refused key", { status: 401, body: { detail: `bad ${SECRET}` } }, "authentication"],
    ["a forbidden model", { status: 403, body: {} }, "authentication"],
    ["an overload", { status: 429, body: {} }, "rate-limit"],
    ["a broken service", { status: 500, body: { detail: SECRET } }, "unavailable"],
    ["a redirect", { status: 302, headers: { location: "http://127.0.0.1:9/" }, body: {} }, "unavailable"],
    ["a reset", "reset", "unavailable"],
    ["silence", "hang", "timeout"],
    ["words", { words: `<html>${SECRET}` }, "invalid-answer"],
    ["another shape", { body: { ranking: [] } }, "invalid-answer"],
    ["nothing", results(), "invalid-answer"],
    ["a place that was not sent", results({ index: 3, relevance_score: 1 }), "invalid-answer"],
    ["half a place", results({ index: 0.5, relevance_score: 1 }), "invalid-answer"],
    ["no score", results({ index: 0 }), "invalid-answer"],
    ["one place twice", results(...Array(2).fill({ index: 0, relevance_score: 1 })), "invalid-answer"],
  ];

  it.each(FAILURES)("says so for %s, without its key", async (_, answer, reason) => {
    const { rerank, server, calls } = await openService("jina", () => answer, { rerankTimeoutMs: 300 });
    const outcome = await ask(rerank);
    expect(outcome).toMatchObject({ ok: false, reason });
    expect(JSON.stringify([outcome, calls])).not.toContain(SECRET);
    expect(server.requests).toHaveLength(1);
    expect(calls).toHaveLength(1);
  });

  it("says so for a service that is not there", async () => {
    const { rerank } = openWith({ rerankProvider: "tei", rerankEndpoint: "http://127.0.0.1:9/rerank" });
    expect(await ask(rerank)).toMatchObject({ ok: false, reason: "unavailable" });
  });

  it("says so for a key that is missing", async () => {
    const { rerank } = openWith({ rerankProvider: "voyage" });
    const message = "no API key for voyage";
    expect(await ask(rerank)).toEqual({ ok: false, reason: "authentication", message });
  });

  it("is left alone after its key was refused", async () => {
    const { rerank, server } = await openService("jina", () => ({ status: 401, body: {} }), {
      circuitBreakerThreshold: 2,
    });
    for (const _ of [1, 2, 3, 4]) expect(await ask(rerank)).toMatchObject({ reason: "authentication" });
    expect(server.requests).toHaveLength(2);
  });

  it("stops with the caller's signal", async () => {
    const { rerank } = await openService("jina", () => "hang");
    const signal = AbortSignal.timeout(30);
    expect(await rerank("q", DOCUMENTS, { topN: 1, signal })).toMatchObject({
      ok: false,
      reason: "cancelled",
    });
    expect(await rerank("q", DOCUMENTS, { topN: 1, signal })).toMatchObject({
      ok: false,
      reason: "cancelled",
    });
  });
});

describe("a host's reranker", () => {
  it("takes the place of the configured one", async () => {
    const { rerank, calls } = openWith({}, async (_query, documents, { topN }) =>
      documents.map((_, index) => ({ index, score: index })).slice(0, topN),
    );
    expect(await ask(rerank)).toEqual({
      ok: true,
      ranking: [
        { index: 1, score: 1 },
        { index: 0, score: 0 },
      ],
    });
    expect(calls).toMatchObject([{ model: "the host's reranker", outcome: "stop" }]);
  });

  it.each([
    ["throws", () => Promise.reject(new Error("boom")), "unavailable"],
    ["never answers", () => new Promise<never>(() => {}), "timeout"],
    ["answers nonsense", async () => "x" as never, "invalid-answer"],
  ] as const)("that %s is a failure like others", async (_, broken, reason) => {
    const { rerank } = openWith({ rerankTimeoutMs: 30 }, broken);
    expect(await ask(rerank)).toMatchObject({ ok: false, reason });
  });
});
