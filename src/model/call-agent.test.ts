import { afterEach, describe, expect, it } from "vitest";
import {
  callTools,
  HANG,
  refuse,
  reply,
  type Script,
  type ScriptedModel,
  startScriptedModel,
} from "../../test/scripted-model.ts";
import type { AgentRequest } from "./agent.ts";
import { callAgent } from "./call-agent.ts";
import { accessTo } from "./model-access.ts";
import { openAgent } from "./open-agent.ts";
import { wait } from "./wait.ts";
import type { ModelCall } from "./with-usage-log.ts";

const KEY = "sk-very-secret-0123456789";
const MODELS = [
  ["anthropic/claude-haiku-4-5", "anthropic"],
  ["openai/gpt-test", "openai-responses"],
  ["google/gemini-test", "google"],
  ["openrouter/vendor/model", "openai-chat"],
  ["ollama/llama3:8b", "openai-chat"],
  ["openai-compatible/org/any-model", "openai-chat"],
] as const;

const models: ScriptedModel[] = [];
afterEach(async () => {
  for (const model of models.splice(0)) await model.close();
});

async function start(script: Script): Promise<ScriptedModel> {
  const server = await startScriptedModel(script);
  models.push(server);
  return server;
}

async function agentOf(name: string, script: Script) {
  const server = await start(script);
  const settings = { summaryModel: name, modelBaseUrl: server.url, modelApiKey: KEY };
  const run = callAgent(accessTo(name, settings, {}), { clock: () => 0, guard: (step) => step });
  return { server, run };
}

function request(more: Partial<AgentRequest> = {}) {
  const inputs: unknown[] = [];
  const asked: AgentRequest = {
    purpose: "expansion",
    system: "Look it up.",
    prompt: "Where is the file?",
    maxSteps: 4,
    maxTokens: 64,
    mayCallTools: () => true,
    tools: [
      {
        name: "look",
        description: "looks",
        input: { type: "object", properties: { at: { type: "string" } } },
        run: async (input) => {
          inputs.push(input);
          return `found at ${inputs.length}`;
        },
      },
    ],
    ...more,
  };
  return { asked, inputs };
}

describe("an agent", () => {
  it.each(MODELS)("of %s calls tools as %s has them", async (name, api) => {
    const { server, run } = await agentOf(name, [
      callTools(["look", { at: "/srv" }], ["look", { at: "/etc" }]),
      reply("<think>so</think>At /srv."),
    ]);
    const { asked, inputs } = request();
    expect(await run(asked)).toMatchObject({ text: "At /srv.", model: name, finish: "stop", steps: 2 });
    expect(inputs).toEqual([{ at: "/srv" }, { at: "/etc" }]);
    expect(server.requests.map((one) => one.api)).toEqual([api, api]);
    expect(JSON.stringify(server.requests[1]?.body)).toMatch(/found at 1.*found at 2/);
    expect(server.requests[0]?.system).toContain("Look it up.");
  });

  it("adds up what its calls used", async () => {
    const { run } = await agentOf("ollama/x", [callTools(["look", {}]), reply("12345678")]);
    const { usage } = await run(request().asked);
    expect(usage).toMatchObject({ inputTokens: 10, outputTokens: 2, cost: null });
  });

  it("must answer in its last step, and when tools have nothing more to tell", async () => {
    const { server, run } = await agentOf("ollama/x", callTools(["look", {}]));
    const { asked, inputs } = request({ maxSteps: 3 });
    expect(await run(asked)).toMatchObject({ text: "", steps: 3, finish: "stop" });
    expect(inputs).toHaveLength(2);
    const choices = server.requests.map(({ body }) => (body as { tool_choice?: unknown }).tool_choice);
    expect(choices).toEqual(["auto", "auto", "none"]);
    const other = request({ mayCallTools: () => false });
    expect(await run(other.asked)).toMatchObject({ text: "", steps: 1 });
    expect(other.inputs).toEqual([]);
  });

  it("fails in our words, without the key", async () => {
    const { run } = await agentOf("ollama/x", refuse(400, { message: `no ${KEY} here` }));
    const error: unknown = await run(request().asked).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: "model-unavailable",
      message: "ollama/x answered 400: no (key) here",
    });
  });

  it("stops with its signal, and so does the call", async () => {
    const { server, run } = await agentOf("ollama/x", HANG);
    const stop = new AbortController();
    const running = run(request({ signal: stop.signal }).asked);
    await expect.poll(() => server.requests.length, { timeout: 20_000 }).toBe(1);
    stop.abort();
    await expect(running).rejects.toMatchObject({ code: "cancelled" });
    await expect.poll(() => server.requests[0]?.disconnected, { timeout: 20_000 }).toBe(true);
  });
});

describe("the configured agent", () => {
  const SETTINGS = {
    summaryModel: "openai-compatible/second",
    summaryFallbackModels: [],
    expansionModel: "openai-compatible/first",
    largeFileModel: null,
    memoryModel: null,
    modelApiKey: null,
    summaryTimeoutMs: 5_000,
    modelRetries: 1,
    circuitBreakerThreshold: 5,
    circuitBreakerCooldownMs: 1_000,
    summaryCallWindowMs: 60_000,
    summaryMaxCallsPerWindow: 1,
    expansionMaxCallsPerWindow: 20,
  };

  function openWith(url: string | null, more: Partial<Parameters<typeof openAgent>[0]> = {}) {
    const calls: ModelCall[] = [];
    const run = openAgent(
      { ...SETTINGS, modelBaseUrl: url, ...more },
      { keys: {}, clock: () => 0, wait, chance: () => 0, onCall: (call) => calls.push(call) },
    );
    return { run, calls };
  }

  it("is none when no model is", () => {
    expect(openWith(null, { summaryModel: null, expansionModel: null }).run).toBeNull();
  });

  it("repeats the one call that failed, not the run", async () => {
    const server = await start([callTools(["look", {}]), refuse(503), reply("done")]);
    const { run, calls } = openWith(server.url);
    const { asked, inputs } = request();
    expect(await run?.(asked)).toMatchObject({ text: "done", model: "openai-compatible/first", steps: 2 });
    expect(inputs).toHaveLength(1);
    expect(calls.map(({ purpose, outcome }) => [purpose, outcome])).toEqual([
      ["expansion", "stop"],
      ["expansion", "model-unavailable"],
      ["expansion", "stop"],
    ]);
  });

  it("counts each call", async () => {
    const server = await start(callTools(["look", {}]));
    const { run } = openWith(server.url, { expansionMaxCallsPerWindow: 2 });
    await expect(run?.(request().asked)).rejects.toMatchObject({
      code: "model-limit",
      advice: "Wait, or raise expansionMaxCallsPerWindow.",
    });
    expect(server.requests).toHaveLength(2);
  });

  it("asks the models of summaries when its own fails", async () => {
    const server = await start(({ model }) => (model === "first" ? refuse(404) : reply("second")));
    const { run } = openWith(server.url);
    expect(await run?.(request().asked)).toMatchObject({ text: "second", model: "openai-compatible/second" });
  });
});
