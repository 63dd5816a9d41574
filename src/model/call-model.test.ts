import { afterEach, describe, expect, it } from "vitest";
import {
  CUT_CONNECTION,
  cutOff,
  ECHO,
  EMPTY,
  HANG,
  MALFORMED,
  RESET,
  reasoningTags,
  refuse,
  reply,
  type Script,
  type ScriptedModel,
  startScriptedModel,
  TOO_LONG,
  thinking,
} from "../../test/scripted-model.ts";
import { callModel } from "./call-model.ts";
import type { CompletionRequest } from "./complete.ts";
import { accessTo } from "./model-access.ts";
import { factsOf } from "./model-failure.ts";

const KEY = "sk-very-secret-0123456789";
const MODELS = [
  ["anthropic/claude-haiku-4-5", "anthropic"],
  ["openai/gpt-test", "openai-responses"],
  ["google/gemini-test", "google"],
  ["openrouter/vendor/model", "openai-chat"],
  ["ollama/llama3:8b", "openai-chat"],
  ["openai-compatible/org/any-model", "openai-chat"],
] as const;
const NAMES = MODELS.map(([name]) => name);
const REQUEST: CompletionRequest = {
  purpose: "summary",
  system: "Summarise what follows.",
  prompt: "Alice moved the file to /srv/data.",
  maxTokens: 64,
};

const models: ScriptedModel[] = [];
afterEach(async () => {
  for (const model of models.splice(0)) await model.close();
});

async function callOf(name: string, script: Script) {
  const server = await startScriptedModel(script);
  models.push(server);
  const settings = { summaryModel: name, modelBaseUrl: server.url, modelApiKey: KEY };
  const complete = callModel(accessTo(name, settings, {}), { clock: () => 0 });
  return { server, complete };
}

describe("a call to a model", () => {
  it.each(MODELS)("of %s speaks %s", async (name, api) => {
    const { server, complete } = await callOf(name, reply("Alice moved it."));
    expect(await complete(REQUEST)).toEqual({
      text: "Alice moved it.",
      model: name,
      finish: "stop",
      usage: { inputTokens: 9, outputTokens: 4, cost: null },
    });
    expect(server.requests).toHaveLength(1);
    const [request] = server.requests;
    expect(request).toMatchObject({
      api,
      model: name.slice(name.indexOf("/") + 1),
      system: REQUEST.system,
      prompt: REQUEST.prompt,
      maxTokens: 64,
    });
    expect(JSON.stringify(request?.headers)).toContain(KEY);
  });

  it.each(NAMES)("of %s passes the temperature on only when there is one", async (name) => {
    const { server, complete } = await callOf(name, reply("x"));
    await complete(REQUEST);
    await complete({ ...REQUEST, temperature: 0.25 });
    const [without, withOne] = server.requests.map(({ body }) => JSON.stringify(body).includes("0.25"));
    expect([without, withOne]).toEqual([false, true]);
  });

  it("prints nothing when a model does not take a temperature", async () => {
    const warnings: unknown[] = [];
    process.on("warning", (warning) => warnings.push(warning.message));
    const { complete } = await callOf("openai/o3-mini", reply("x"));
    await complete({ ...REQUEST, temperature: 0.25 });
    await new Promise(setImmediate);
    expect(warnings).toEqual([]);
  });

  it("asks OpenAI not to keep the answer", async () => {
    const { server, complete } = await callOf("openai/gpt-test", reply("x"));
    await complete(REQUEST);
    expect(server.requests[0]?.body).toMatchObject({ store: false });
  });

  it("asks OpenRouter what the call cost, and reports it", async () => {
    const { server, complete } = await callOf("openrouter/vendor/model", reply("x", { cost: 0.0012 }));
    expect((await complete(REQUEST)).usage.cost).toBe(0.0012);
    expect(server.requests[0]?.body).toMatchObject({ usage: { include: true } });
  });

  it("says null where a service does not count tokens", async () => {
    const { complete } = await callOf("openai-compatible/m", reply("x", { withoutUsage: true }));
    expect((await complete(REQUEST)).usage).toEqual({ inputTokens: null, outputTokens: null, cost: null });
  });

  const answers: readonly [string, Script, object][] = [
    ["nothing", EMPTY, { text: "", finish: "stop" }],
    ["the question again", ECHO, { text: REQUEST.prompt, finish: "stop" }],
    ["ten times too much", TOO_LONG, { text: "word ".repeat(640).trim(), finish: "stop" }],
    ["half a sentence", cutOff("Alice mo"), { text: "Alice mo", finish: "length" }],
    ["a filter's stop", reply("", { finish: "filter" }), { text: "", finish: "other" }],
    ["thinking beside the answer", thinking("Moved.", "Hmm, let me see"), { text: "Moved." }],
    ["thinking inside the answer", reasoningTags("Moved.", "Hmm, let me see"), { text: "Moved." }],
  ];
  it.each([
    ["nothing of", undefined, "stop"],
    ["its own word for", "eos_token", "stop"],
    ["an error at", "error", "other"],
  ] as const)("of a local server that says %s the end is %s: %s", async (_, ending, finish) => {
    const { complete } = await callOf("openai-compatible/m", reply("Moved.", { ending }));
    expect(await complete(REQUEST)).toMatchObject({ text: "Moved.", finish });
  });

  it.each(NAMES.flatMap((name) => answers.map((row) => [name, ...row] as const)))(
    "of %s hands on %s",
    async (name, _, script, expected) => {
      const { complete } = await callOf(name, script);
      expect(await complete(REQUEST)).toMatchObject(expected);
    },
  );

  const failures: readonly [string, Script, string, object | null][] = [
    ["401", refuse(401), "model-authentication", null],
    ["403", refuse(403), "model-authentication", null],
    [
      "429",
      refuse(429, { headers: { "retry-after": "7" } }),
      "model-unavailable",
      { status: 429, temporary: true, retryAfterMs: 7000 },
    ],
    ["529", refuse(529), "model-unavailable", { status: 529, temporary: true }],
    ["500", refuse(500), "model-unavailable", { status: 500, temporary: true }],
    ["404", refuse(404), "model-unavailable", { status: 404, temporary: false }],
    ["400", refuse(400), "model-unavailable", { status: 400, temporary: false }],
    ["malformed JSON", MALFORMED, "model-unavailable", { status: 200, temporary: false }],
    ["a reset connection", RESET, "model-unavailable", { status: null, temporary: true }],
    ["half an answer", CUT_CONNECTION, "model-unavailable", { status: 200, temporary: true }],
    [
      "a redirect",
      refuse(307, { headers: { location: "http://127.0.0.1:1/" } }),
      "model-unavailable",
      { status: 307, temporary: false },
    ],
  ];
  it.each(NAMES.flatMap((name) => failures.map((row) => [name, ...row] as const)))(
    "of %s that ends in %s is refused as such, once",
    async (name, _, script, code, facts) => {
      const { server, complete } = await callOf(name, script);
      const error: unknown = await complete(REQUEST).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code, message: expect.stringContaining(name) });
      if (facts === null) expect(factsOf(error)).toBeNull();
      else expect(factsOf(error)).toMatchObject(facts);
      expect(server.requests).toHaveLength(1);
    },
  );

  it("knows Google's way of refusing a key", async () => {
    const script = refuse(400, { reason: "API_KEY_INVALID", message: "API key not valid." });
    const { complete } = await callOf("google/gemini-test", script);
    await expect(complete(REQUEST)).rejects.toMatchObject({ code: "model-authentication" });
  });

  it("does not take an empty account for a busy service", async () => {
    const { complete } = await callOf("openai/gpt-test", refuse(429, { reason: "insufficient_quota" }));
    const error: unknown = await complete(REQUEST).catch((thrown: unknown) => thrown);
    expect(factsOf(error)).toMatchObject({ status: 429, temporary: false });
  });

  it.each(NAMES)("of %s that hangs ends when it is cancelled", async (name) => {
    const { server, complete } = await callOf(name, HANG);
    const abort = new AbortController();
    const call = complete({ ...REQUEST, signal: abort.signal });
    await expect.poll(() => server.requests.length, { interval: 5 }).toBe(1);
    abort.abort();
    await expect(call).rejects.toMatchObject({ code: "cancelled" });
    await expect.poll(() => server.requests[0]?.disconnected, { interval: 5 }).toBe(true);
  });

  it("is not made when it was cancelled before", async () => {
    const { server, complete } = await callOf("ollama/llama3", reply("x"));
    const call = complete({ ...REQUEST, signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ code: "cancelled" });
    expect(server.requests).toEqual([]);
  });

  it.each([
    ["anthropic/m", "ANTHROPIC_API_KEY"],
    ["openai/m", "OPENAI_API_KEY"],
    ["google/m", "GOOGLE_GENERATIVE_AI_API_KEY"],
    ["openrouter/v/m", "OPENROUTER_API_KEY"],
  ])("of %s without a key is not made, and says to set %s", async (name, variable) => {
    const server = await startScriptedModel(reply("x"));
    models.push(server);
    const settings = { summaryModel: name, modelBaseUrl: server.url, modelApiKey: null };
    const complete = callModel(accessTo(name, settings, {}), { clock: () => 0 });
    await expect(complete(REQUEST)).rejects.toMatchObject({
      code: "model-authentication",
      advice: expect.stringContaining(variable),
    });
    expect(server.requests).toEqual([]);
  });

  it.each(["ollama/m", "openai-compatible/m"])("of %s needs no key", async (name) => {
    const server = await startScriptedModel(reply("x"));
    models.push(server);
    const settings = { summaryModel: name, modelBaseUrl: server.url, modelApiKey: null };
    await callModel(accessTo(name, settings, {}), { clock: () => 0 })(REQUEST);
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });
});
