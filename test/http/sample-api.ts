/** A server on a real store, with tokens of two tenants and of every right. */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { type Client, createClient } from "../../src/http/client.ts";
import { type RunningServer, type ServeOptions, serve, TokenFile } from "../../src/http/index.ts";
import { type Engine, open } from "../../src/index.ts";
import type { PrometheusMetrics } from "../../src/metrics/prometheus.ts";
import { prometheusMetrics } from "../../src/metrics/prometheus.ts";
import type { Right } from "../../src/operations/tokens/token-file.ts";
import type { EngineName } from "../../src/store/store.ts";
import { temporaryPlace } from "../temporary-store.ts";

export interface SampleApi {
  /** What `open({ store })` takes. */
  readonly store: string;
  readonly engine: Engine;
  readonly server: RunningServer;
  readonly metrics: PrometheusMetrics;
  readonly tokens: TokenFile;
  token(rights: readonly Right[], options?: TokenOptions): Promise<string>;
  client(rights: readonly Right[], options?: TokenOptions): Promise<Client>;
  /** With the headers of a program that has this token. */
  fetch(address: string, token: string | null, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

interface TokenOptions {
  readonly tenant?: string;
  readonly agent?: string;
  readonly expiresAt?: string;
}

export async function startApi(
  engineName: EngineName,
  options: ServeOptions = {},
  settings: Partial<Engine["config"]> = {},
): Promise<SampleApi> {
  const place = await temporaryPlace(engineName);
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "palimpsest-http-"));
  const metrics = prometheusMetrics();
  const config = { logLevel: "silent", dataDir, embeddingModel: "off", ...settings } as const;
  const engine = await open({ store: place.store, observe: metrics.observe, background: "off", config });
  const server = await serve(engine, { port: 0, metrics, ...options });
  const tokens = new TokenFile(engine.config.dataDir);
  const token = async (rights: readonly Right[], given: TokenOptions = {}) => {
    const { tenant = "default", agent = "default", expiresAt = null } = given;
    const createdAt = "2026-03-01T10:00:00.000Z";
    return (await tokens.create({ name: "test", tenant, agent, rights, createdAt, expiresAt })).token;
  };
  return {
    ...{ store: place.store, engine, server, metrics, tokens, token },
    client: async (rights, given) => createClient({ url: server.url, token: await token(rights, given) }),
    fetch: (address, bearer, { headers, ...init } = {}) => {
      const sent = new Headers(headers);
      if (bearer !== null) sent.set("authorization", `Bearer ${bearer}`);
      return fetch(new URL(address, server.url), { ...init, headers: sent });
    },
    close: async () => {
      await server.close();
      await engine.close();
      await place.dispose();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A conversation with a tool pair, a file, a summary, a recorded view and a memory. */
export async function fill(engine: Engine, session = "tea"): Promise<string> {
  const { context, memory } = engine;
  for (let turn = 1; turn <= 30; turn++) {
    await context.assemble({ conversation: session, budget: 8_000 });
    await context.commitTurn({
      conversation: session,
      key: `turn ${turn}`,
      messages: [
        {
          role: "user",
          content: `Question ${turn}: where is the ${session} pot number ${turn}? `.repeat(20),
        },
        { role: "assistant", content: `It is on shelf ${turn}, beside the kettle. `.repeat(20) },
      ],
    });
  }
  const { id } = await context.conversations.get(session);
  await context.compact({ conversation: id, budget: 8_000 });
  await memory.store({ text: `The ${session} pot is blue.`, factKey: "pot" });
  return id;
}
