import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { CONFIG_KEYS, type ConfigKey } from "../../src/config/schema.ts";
import { open } from "../../src/index.ts";
import { temporaryFolder } from "../temporary-store.ts";

const say = (content: string) => ({ role: "user", content });
const folder = temporaryFolder();
const engines: { close(): Promise<void> }[] = [];

async function openWith(config: object) {
  const place = { dataDir: path.join(folder, `${engines.length}`) };
  const engine = await open({ config: { logLevel: "silent", ...place, ...config } });
  engines.push(engine);
  return engine;
}

/** For every setting, what changes when it is changed. A setting without an entry here does not compile. */
const EFFECTS: Record<ConfigKey, () => Promise<void>> = {
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
};

describe("settings", () => {
  afterAll(async () => {
    for (const engine of engines) await engine.close();
  });

  it.each(CONFIG_KEYS)("%s changes what the engine does", async (key) => {
    await EFFECTS[key]();
  });

  it("skip a turn that the host calls a heartbeat", async () => {
    const { context } = await openWith({});
    const input = { conversation: "s", key: "t", messages: [say("poll")], heartbeat: true };
    expect(await context.commitTurn(input)).toEqual({ status: "skipped", reason: "heartbeat" });
  });
});
