import { afterEach, describe, expect, it } from "vitest";
import { fakeTime, outcomeOf, REQUEST } from "../../test/scripted-complete.ts";
import {
  HANG,
  MALFORMED,
  RESET,
  refuse,
  reply,
  type Script,
  type ScriptedAnswer,
  type ScriptedModel,
  startScriptedModel,
} from "../../test/scripted-model.ts";
import { configSchema } from "../config/schema.ts";
import type { Complete } from "./complete.ts";
import { openModels } from "./open-model.ts";
import { wait } from "./wait.ts";
import type { ModelCall } from "./with-usage-log.ts";

const SECRET = "sk-configured-0123456789";
const servers: ScriptedModel[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** Two models of one service, both of which answer by the same script. */
async function openWith(script: Script, config: object = {}) {
  const server = await startScriptedModel(script);
  servers.push(server);
  const settings = configSchema.parse({
    summaryModel: "openai-compatible/first",
    modelBaseUrl: server.url,
    modelApiKey: SECRET,
    ...config,
  });
  const time = fakeTime();
  const calls: ModelCall[] = [];
  const opened = openModels(settings, {
    keys: {},
    clock: time.clock,
    // The short time limit runs in real time; pauses between retries do not.
    wait: (ms, signal) => (ms === settings.summaryTimeoutMs ? wait(ms, signal) : time.wait(ms, signal)),
    chance: () => 1,
    onCall: (call) => calls.push(call),
  }).summaries;
  if (opened === null) throw new Error("a model is configured");
  const complete: Complete = opened;
  return { server, complete, time, calls, asked: () => server.requests.map(({ model }) => model) };
}

const fallback = { summaryFallbackModels: ["openai-compatible/second"] };
const byModel =
  (first: ScriptedAnswer, second: ScriptedAnswer): Script =>
  ({ model }) =>
    model === "first" ? first : second;

describe("the configured model", () => {
  it("is none when none is configured", () => {
    const around = { keys: {}, clock: () => 0, wait, chance: () => 0, onCall: () => {} };
    expect(openModels(configSchema.parse({}), around).summaries).toBeNull();
  });

  it.each([
    ["429 with retry-after", refuse(429, { headers: { "retry-after": "3" } }), [3000]],
    ["529", refuse(529), [500]],
    ["500", refuse(500), [500]],
    ["a reset connection", RESET, [500]],
  ])("is asked again after %s", async (_, failure, waits) => {
    const { complete, time, calls } = await openWith([failure, reply("done")]);
    expect((await complete(REQUEST)).text).toBe("done");
    expect(time.waits).toEqual(waits);
    expect(calls.map(({ outcome }) => outcome)).toEqual(["model-unavailable", "stop"]);
  });

  it.each([
    ["401", refuse(401), ["first", "second"]],
    ["403", refuse(403), ["first", "second"]],
    ["404", refuse(404), ["first", "second"]],
    ["malformed JSON", MALFORMED, ["first", "second"]],
    ["500 three times", refuse(500), ["first", "first", "first", "second"]],
    ["no answer in time", HANG, ["first", "second"]],
  ])("is followed by its fallback after %s", async (_, failure, order) => {
    const config = { ...fallback, summaryTimeoutMs: 1_000 };
    const { complete, asked } = await openWith(byModel(failure, reply("from the second")), config);
    expect(await complete(REQUEST)).toMatchObject({
      text: "from the second",
      model: "openai-compatible/second",
    });
    expect(asked()).toEqual(order);
  });

  it("records every attempt with its model, tokens and end", async () => {
    const { complete, calls } = await openWith(byModel(refuse(401), reply("four")), fallback);
    await complete({ ...REQUEST, purpose: "large-file" });
    expect(calls).toMatchObject([
      { model: "openai-compatible/first", purpose: "large-file", outcome: "model-authentication" },
      { model: "openai-compatible/second", inputTokens: 5, outputTokens: 1, outcome: "stop" },
    ]);
  });

  it("counts every attempt against the limit, those of fallbacks too", async () => {
    const { complete, asked } = await openWith(refuse(500), { ...fallback, summaryMaxCallsPerWindow: 5 });
    expect(await outcomeOf(complete(REQUEST))).toBe("model-limit");
    expect(asked()).toEqual(["first", "first", "first", "second", "second"]);
  });

  it("is called again when the window has passed", async () => {
    const { complete, time } = await openWith(reply("x"), { summaryMaxCallsPerWindow: 1 });
    expect(await outcomeOf(complete(REQUEST))).toBe("answer");
    expect(await outcomeOf(complete(REQUEST))).toBe("model-limit");
    time.pass(600_000);
    expect(await outcomeOf(complete(REQUEST))).toBe("answer");
  });

  it("has a circuit of its own: the fallback goes on when the first is left alone", async () => {
    const { complete, asked, time } = await openWith(byModel(refuse(401), reply("x")), fallback);
    for (let i = 0; i < 7; i++) await complete(REQUEST);
    expect(asked().filter((model) => model === "first")).toHaveLength(5);
    expect(asked().filter((model) => model === "second")).toHaveLength(7);
    time.pass(1_800_000);
    await complete(REQUEST);
    expect(asked().filter((model) => model === "first")).toHaveLength(6);
  });

  it("tells of authentication until its circuit opens, and then of being unavailable", async () => {
    const { complete, server } = await openWith(refuse(401));
    const outcomes: string[] = [];
    for (let i = 0; i < 6; i++) outcomes.push(await outcomeOf(complete(REQUEST)));
    expect(outcomes).toEqual([...Array(5).fill("model-authentication"), "model-unavailable"]);
    expect(server.requests).toHaveLength(5);
  });

  it("ends a call that hangs, really", async () => {
    const { complete, server } = await openWith(HANG, { summaryTimeoutMs: 40 });
    expect(await outcomeOf(complete(REQUEST))).toBe("model-unavailable");
    await expect.poll(() => server.requests[0]?.disconnected, { interval: 5 }).toBe(true);
  });

  it.each([
    ["a server that repeats the key", refuse(401, { message: `wrong key ${SECRET}` })],
    ["a broken server that does", refuse(500, { message: `Authorization: Bearer ${SECRET}` })],
    ["a server that hangs", HANG],
    ["a broken connection", RESET],
  ])("does not tell the key or the conversation after %s", async (_, script) => {
    const { complete, calls } = await openWith(script, { ...fallback, summaryTimeoutMs: 40 });
    const request = { ...REQUEST, prompt: "my private words" };
    const error: unknown = await complete(request).catch((thrown: unknown) => thrown);
    const told = [error, calls].map((value) => everythingIn(value)).join("\n");
    expect(told).toContain("openai-compatible/second");
    expect(told).not.toContain(SECRET);
    expect(told).not.toContain("private");
  });

  it("does not tell a key that cannot even be sent", async () => {
    const key = "sk-with\nnewline-0123456789";
    const settings = configSchema.parse({ summaryModel: "openai/m", modelBaseUrl: "http://127.0.0.1:9/v1" });
    const around = { keys: { openai: key }, clock: () => 0, wait, chance: () => 0, onCall: () => {} };
    const error: unknown = await openModels(settings, around)
      .summaries?.(REQUEST)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "model-unavailable" });
    expect(everythingIn(error)).not.toMatch(/newline-|sk-with/);
  });
});

/** All text of an error and its causes. */
function everythingIn(value: unknown): string {
  if (!(value instanceof Error)) return JSON.stringify(value) ?? "";
  return [value.stack, JSON.stringify({ ...value }), everythingIn(value.cause)].join("\n");
}
