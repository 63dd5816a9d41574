/** One delegated question at a time for each client, and none that waits for another client. */

import type { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, internalsOf, open } from "../../src/engine.ts";
import { createServer } from "../../src/mcp/create-server.ts";
import { type HttpServer, serveHttp } from "../../src/mcp/serve-http.ts";
import { HANG, reply, type ScriptedModel, startScriptedModel } from "../scripted-model.ts";
import { temporaryFolder } from "../temporary-store.ts";
import { callText, connectHttp, createClient } from "./clients.ts";

const SLOW = "Where is the slow teapot?";
const QUICK = "Where is the quick teapot?";

let model: ScriptedModel;
let engine: Engine;
let http: HttpServer;

beforeAll(async () => {
  model = await startScriptedModel(({ prompt }) =>
    prompt.includes(SLOW) ? HANG : reply("In the cupboard."),
  );
  const config = { logLevel: "silent", modelRetries: 0, expansionModel: "openai-compatible/m" } as const;
  engine = await open({
    store: temporaryFolder(),
    background: "off",
    config: { ...config, modelBaseUrl: model.url },
  });
  const messages = [{ role: "user", content: "The slow teapot and the quick teapot stand in the cupboard." }];
  await engine.context.commitTurn({ conversation: "tea", key: "1", messages });
  http = await serveHttp(() => createServer(engine), { port: 0, report: () => undefined });
});

afterAll(async () => {
  await http?.close();
  await engine?.close();
  await model?.close();
});

const ask = (client: Client, prompt: string, signal?: AbortSignal, more: object = {}) =>
  callText(client, "lcm_expand_query", { prompt, ...more }, signal === undefined ? {} : { signal });

async function connectInMemory(): Promise<Client> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await createServer(engine).connect(ours);
  const client = createClient("2025-11-25");
  await client.connect(theirs);
  return client;
}

async function whileOneIsAsked(client: Client, during: () => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const before = model.requests.length;
  const slow = ask(client, SLOW, stop.signal).catch(() => null);
  await expect.poll(() => model.requests.length, { timeout: 20_000 }).toBe(before + 1);
  await during();
  stop.abort();
  await slow;
  await expect.poll(() => internalsOf(engine).grants?.active(), { timeout: 20_000 }).toEqual([]);
}

describe("a question of an MCP client", () => {
  it("keeps the same client waiting, whatever origin it gives", async () => {
    const client = await connectInMemory();
    await whileOneIsAsked(client, async () => {
      expect((await ask(client, QUICK)).text).toMatch(/^busy: another question from this session/);
      expect((await ask(client, QUICK, undefined, { origin: "somebody else" })).text).toMatch(/^busy:/);
    });
    expect((await ask(client, QUICK)).text).toContain("> In the cupboard.");
  });

  it("keeps no other client waiting that asks about the same conversation", async () => {
    const [first, second] = await Promise.all([connectInMemory(), connectInMemory()]);
    await whileOneIsAsked(first, async () => {
      expect((await ask(second, QUICK)).text).toContain("> In the cupboard.");
    });
  });

  it("keeps no other client waiting over HTTP either", async () => {
    const connect = () => connectHttp(http.url, "2026-07-28");
    const [first, second] = await Promise.all([connect(), connect()]);
    await whileOneIsAsked(first, async () => {
      expect((await ask(second, QUICK)).text).toContain("> In the cupboard.");
    });
  });
});
