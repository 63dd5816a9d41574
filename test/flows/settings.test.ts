import { mkdtempSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { CONFIG_KEYS, type ConfigKey } from "../../src/config/schema.ts";
import { internalsOf } from "../../src/engine.ts";
import { type Engine, type OpenOptions, open } from "../../src/index.ts";
import { ask as askOperation } from "../../src/operations/retrieve/ask.ts";
import { runOperation } from "../../src/operations/run-operation.ts";
import { outcomeOf, REQUEST } from "../scripted-complete.ts";
import { callTools, HANG, refuse, reply, type Script, startScriptedModel } from "../scripted-model.ts";
import { temporaryFolder } from "../temporary-store.ts";
import { compactionEffects } from "./compaction-effects.ts";
import { embeddingEffects } from "./embedding-effects.ts";
import { memoryEffects } from "./memory-effects.ts";

const say = (content: string) => ({ role: "user", content });
const folder = temporaryFolder();
const opened: { close(): Promise<void> }[] = [];

async function openWith(config: object, options: OpenOptions = {}) {
  const place = { dataDir: mkdtempSync(path.join(folder, "store-")) };
  const engine = await open({ ...options, config: { logLevel: "silent", ...place, ...config } });
  opened.push(engine);
  return engine;
}

/** An engine whose model `m` answers by a script. */
async function openWithModel(script: Script, config: object = {}, options: OpenOptions = {}) {
  const server = await startScriptedModel(script);
  opened.push(server);
  const model = { summaryModel: "openai-compatible/m", modelBaseUrl: server.url };
  return { server, engine: await openWith({ ...model, ...config }, options) };
}

function ask(engine: Engine) {
  const { complete } = internalsOf(engine);
  if (complete === null) throw new Error("no model is configured");
  return complete(REQUEST);
}

/** A delegated question about the one thing that was said. */
async function askAbout(engine: Engine) {
  await engine.context.commitTurn({ conversation: "s", key: "t", messages: [say("We drink tea at five.")] });
  return runOperation(askOperation, engine, { prompt: "When do we drink tea?" });
}

/** How calls end, with milliseconds passing after each. */
async function askOften(engine: Engine, time: { now: number }, pauses: readonly number[]) {
  const outcomes: string[] = [];
  for (const pause of pauses) {
    outcomes.push(await outcomeOf(ask(engine)));
    time.now += pause;
  }
  return outcomes;
}

/** For every setting, what changes when it is changed. A setting without an entry here does not compile. */
const EFFECTS: Record<ConfigKey, () => Promise<void>> = {
  ...compactionEffects(openWith),
  ...embeddingEffects((server) => opened.push(server)),
  ...memoryEffects(openWith, openWithModel),
  enabled: async () => {
    const { context } = await openWith({ enabled: false });
    const result = await context.commitTurn({ conversation: "s", key: "t", messages: [say("hi")] });
    expect(result).toEqual({ status: "skipped", reason: "disabled" });
  },
  dataDir: async () => {
    const dataDir = path.join(folder, "chosen");
    const { store } = await openWith({ dataDir });
    expect((await store.info()).location).toContain(dataDir);
  },
  databaseUrl: async () => {
    const refused = openWith({ databaseUrl: "postgres://nobody:x@127.0.0.1:1/none" });
    await expect(refused).rejects.toMatchObject({ code: "store-unavailable" });
  },
  tenant: async () => {
    const { store, context } = await openWith({ tenant: "acme" });
    await context.commitTurn({ conversation: "s", key: "t", messages: [say("hi")] });
    expect(await store.scopes()).toEqual([{ tenant: "acme", agent: "default" }]);
  },
  agent: async () => {
    const { store, context } = await openWith({ agent: "bot" });
    await context.commitTurn({ conversation: "s", key: "t", messages: [say("hi")] });
    expect(await store.scopes()).toEqual([{ tenant: "default", agent: "bot" }]);
  },
  ignoreSessionPatterns: async () => {
    const { context } = await openWith({ ignoreSessionPatterns: ["agent:*:cron:**"] });
    const commit = (conversation: string) =>
      context.commitTurn({ conversation, key: "t", messages: [say("hi")] });
    expect(await commit("agent:main:cron:daily:1")).toEqual({ status: "skipped", reason: "ignored-session" });
    expect(await commit("agent:main:sub:cron:daily")).toMatchObject({ status: "committed" });
    const keyed = { sessionId: "x", sessionKey: "agent:a:cron:b" };
    expect(await context.commitTurn({ conversation: keyed, key: "t", messages: [say("hi")] })).toMatchObject({
      status: "skipped",
    });
  },
  statelessSessionPatterns: async () => {
    const { context } = await openWith({ statelessSessionPatterns: ["scratch*"] });
    const result = await context.commitTurn({ conversation: "scratch-1", key: "t", messages: [say("hi")] });
    expect(result).toEqual({ status: "skipped", reason: "stateless-session" });
  },
  skipStatelessSessions: async () => {
    const { context } = await openWith({
      statelessSessionPatterns: ["scratch*"],
      skipStatelessSessions: false,
    });
    const result = await context.commitTurn({ conversation: "scratch-1", key: "t", messages: [say("hi")] });
    expect(result.status).toBe("committed");
  },
  pruneHeartbeatOk: async () => {
    const poll = [
      say("Read HEARTBEAT.md and reply HEARTBEAT_OK"),
      { role: "assistant", content: "HEARTBEAT_OK" },
    ];
    const work = [say("Read HEARTBEAT.md"), { role: "assistant", content: "Disk is full!" }];
    const excluded = [];
    for (const pruneHeartbeatOk of [true, false]) {
      const { context } = await openWith({ pruneHeartbeatOk });
      await context.commitTurn({ conversation: "s", key: "t1", messages: poll });
      await context.commitTurn({ conversation: "s", key: "t2", messages: work });
      excluded.push((await context.read({ conversation: "s" })).messages.map((message) => message.excluded));
    }
    expect(excluded).toEqual([
      ["heartbeat", "heartbeat", null, null],
      [null, null, null, null],
    ]);
  },
  largeFileTokenThreshold: async () => {
    const attached = `Look at this: <file name="tides.txt">${"high low ".repeat(400)}</file>`;
    const names = [];
    for (const largeFileTokenThreshold of [100, 25_000]) {
      const { context } = await openWith({ largeFileTokenThreshold });
      await context.commitTurn({ conversation: "s", key: "t", messages: [say(attached)] });
      names.push((await context.files.list()).files.map(({ name }) => name));
    }
    expect(names).toEqual([["tides.txt"], []]);
  },
  toolOutputStubBytes: async () => {
    const [id, content] = ["call_1", "high low ".repeat(400)];
    const messages = [
      { role: "assistant", content: [{ type: "tool_use", id, name: "tides", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
    ];
    const tools = [];
    for (const toolOutputStubBytes of [1_000, 8_000]) {
      const { context } = await openWith({ toolOutputStubBytes });
      await context.commitTurn({ conversation: "s", key: "t", messages });
      tools.push((await context.files.list()).files.map(({ tool }) => tool));
    }
    expect(tools).toEqual([["tides"], []]);
  },
  timezone: async () => {
    const { config } = await openWith({ timezone: "Asia/Tokyo" });
    const shown = new Date("2026-01-01T00:00:00Z").toLocaleTimeString("en-GB", { timeZone: config.timezone });
    expect(shown).toBe("09:00:00");
  },
  logLevel: async () => {
    const logFile = path.join(folder, "level.log");
    const { context } = await openWith({ logLevel: "debug", logFile });
    await context.commitTurn({ conversation: "s", key: "t", messages: [say("hi")] });
    expect(readFileSync(logFile, "utf8")).toContain("turn committed");
  },
  logFile: async () => {
    const logFile = path.join(folder, "logs", "engine.log");
    const { context } = await openWith({ logLevel: "debug", logFile });
    await context.commitTurn({ conversation: "a session", key: "t", messages: [say("my secret words")] });
    const [line] = readFileSync(logFile, "utf8").trim().split("\n");
    expect(JSON.parse(line ?? "")).toMatchObject({
      session_id: "a session",
      conversation_id: expect.stringMatching(/^conv_/),
    });
    expect(line).not.toContain("my secret words");
  },
  summaryModel: async () => {
    expect(internalsOf(await openWith({})).complete).toBeNull();
    const { server, engine } = await openWithModel(reply("short"), {
      summaryModel: "openai-compatible/other",
    });
    expect(await ask(engine)).toMatchObject({ text: "short", model: "openai-compatible/other" });
    expect(server.requests).toMatchObject([{ model: "other" }]);
  },
  summaryFallbackModels: async () => {
    const script: Script = ({ model }) => (model === "m" ? refuse(404) : reply("from the second"));
    const { engine } = await openWithModel(script, { summaryFallbackModels: ["openai-compatible/n"] });
    expect(await ask(engine)).toMatchObject({ text: "from the second", model: "openai-compatible/n" });
  },
  expansionModel: async () => {
    const { server, engine } = await openWithModel(reply("x"), {
      expansionModel: "openai-compatible/reader",
    });
    expect(await askAbout(engine)).toMatchObject({ method: "model", model: "openai-compatible/reader" });
    await ask(engine);
    expect(server.requests.map(({ model }) => model)).toEqual(["reader", "m"]);
  },
  largeFileModel: async () => {
    const { server, engine } = await openWithModel(reply("Notes about the tides."), {
      largeFileModel: "openai-compatible/librarian",
      largeFileTokenThreshold: 100,
    });
    const attached = `<file name="tides.md"># Tides\n\n${"High water and low water. ".repeat(40)}</file>`;
    await engine.context.commitTurn({ conversation: "s", key: "t", messages: [say(attached)] });
    await engine.context.compact({ conversation: "s" });
    expect((await engine.context.files.list()).files).toMatchObject([
      { described: { text: "Notes about the tides.", model: "openai-compatible/librarian" } },
    ]);
    expect(server.requests.map(({ model }) => model)).toEqual(["librarian"]);
  },
  expansionMaxCallsPerWindow: async () => {
    const settings = { expansionMaxCallsPerWindow: 1, summaryMaxCallsPerWindow: 1 };
    const { engine } = await openWithModel(reply("x"), settings);
    expect(await askAbout(engine)).toMatchObject({ method: "model" });
    expect(await askAbout(engine)).toMatchObject({ failure: { code: "model-failed" } });
    // Summaries are counted apart.
    expect(await outcomeOf(ask(engine))).toBe("answer");
  },
  delegationTokenCap: async () => {
    const { engine } = await openWithModel(reply("x"), { delegationTokenCap: 777 });
    expect(await askAbout(engine)).toMatchObject({ tokenCap: 777 });
  },
  delegationMaxSteps: async () => {
    const { engine, server } = await openWithModel(callTools(["lcm_grep", { pattern: "tea" }]), {
      delegationMaxSteps: 3,
    });
    expect(await askAbout(engine)).toMatchObject({ failure: { code: "empty-reply" } });
    expect(server.requests).toHaveLength(3);
  },
  delegationTimeoutMs: async () => {
    const { engine } = await openWithModel(HANG, { delegationTimeoutMs: 50 });
    expect(await askAbout(engine)).toMatchObject({ method: "extractive", failure: { code: "timeout" } });
  },
  modelBaseUrl: async () => {
    const [here, there] = [await openWithModel(reply("here")), await openWithModel(reply("there"))];
    expect([(await ask(here.engine)).text, (await ask(there.engine)).text]).toEqual(["here", "there"]);
  },
  modelApiKey: async () => {
    const { server, engine } = await openWithModel(reply("x"), { modelApiKey: "a-key" });
    await ask(engine);
    expect(server.requests[0]?.headers.authorization).toBe("Bearer a-key");
  },
  summaryTimeoutMs: async () => {
    const { engine } = await openWithModel(HANG, { summaryTimeoutMs: 20 });
    await expect(ask(engine)).rejects.toThrow("did not answer within 0.02 s");
  },
  modelRetries: async () => {
    const { server, engine } = await openWithModel(refuse(500), { modelRetries: 0 });
    expect(await outcomeOf(ask(engine))).toBe("model-unavailable");
    expect(server.requests).toHaveLength(1);
  },
  circuitBreakerThreshold: async () => {
    const { server, engine } = await openWithModel(refuse(401), { circuitBreakerThreshold: 2 });
    await askOften(engine, { now: 0 }, [0, 0, 0, 0]);
    expect(server.requests).toHaveLength(2);
  },
  circuitBreakerCooldownMs: async () => {
    const time = { now: 0 };
    const settings = { circuitBreakerThreshold: 1, circuitBreakerCooldownMs: 1000 };
    const { engine } = await openWithModel(refuse(401), settings, { clock: () => time.now });
    const refused = "model-authentication";
    expect(await askOften(engine, time, [999, 1, 0])).toEqual([refused, "model-unavailable", refused]);
  },
  summaryCallWindowMs: async () => {
    const time = { now: 0 };
    const settings = { summaryMaxCallsPerWindow: 1, summaryCallWindowMs: 500 };
    const { engine } = await openWithModel(reply("x"), settings, { clock: () => time.now });
    expect(await askOften(engine, time, [499, 1, 0])).toEqual(["answer", "model-limit", "answer"]);
  },
  summaryMaxCallsPerWindow: async () => {
    const { engine } = await openWithModel(reply("x"), { summaryMaxCallsPerWindow: 2 });
    expect(await askOften(engine, { now: 0 }, [0, 0, 0])).toEqual(["answer", "answer", "model-limit"]);
  },
};

describe("settings", () => {
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });

  it.each(CONFIG_KEYS)("%s changes what the engine does", async (key) => {
    await EFFECTS[key]();
  });

  it("of models give way to the host's own function", async () => {
    const complete = async () => ({
      text: "the host's",
      model: "host",
      finish: "stop" as const,
      usage: { inputTokens: null, outputTokens: null, cost: null },
    });
    const { server, engine } = await openWithModel(reply("x"), {}, { complete });
    expect(internalsOf(engine).complete).toBe(complete);
    expect((await ask(engine)).text).toBe("the host's");
    expect(server.requests).toEqual([]);
  });

  it("of models leave a line of log for each call, without key or words", async () => {
    const logFile = path.join(folder, "model.log");
    const settings = { logLevel: "info", logFile, modelApiKey: "a-secret-key", modelRetries: 0 };
    const { engine } = await openWithModel([reply("private answer"), refuse(500)], settings);
    await askOften(engine, { now: 0 }, [0, 0]);
    const text = readFileSync(logFile, "utf8");
    expect(
      text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { level: 30, model: "openai-compatible/m", purpose: "summary", tokens_in: 5, outcome: "stop" },
      { level: 40, model: "openai-compatible/m", tokens_in: null, outcome: "model-unavailable" },
    ]);
    expect(text).not.toMatch(/a-secret-key|private answer|long conversation/);
  });

  it("skip a turn that the host calls a heartbeat", async () => {
    const { context } = await openWith({});
    const input = { conversation: "s", key: "t", messages: [say("poll")], heartbeat: true };
    expect(await context.commitTurn(input)).toEqual({ status: "skipped", reason: "heartbeat" });
  });
});
