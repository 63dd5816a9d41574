/** Who may do what over HTTP, and what happens to input that nobody should send. */
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RIGHTS, serve } from "../../src/http/index.ts";
import { ROUTES } from "../../src/http/routes.ts";
import { ENGINES } from "../temporary-store.ts";
import { fill, type SampleApi, startApi } from "./sample-api.ts";

let api: SampleApi;
beforeAll(async () => {
  api = await startApi("sqlite", { limitMs: 20_000 });
});
afterAll(() => api.close());

async function statusOf(address: string, token: string | null, init: RequestInit = {}): Promise<number> {
  const response = await api.fetch(address, token, init);
  await response.arrayBuffer();
  return response.status;
}

const POST_EMPTY = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };

describe("a token", () => {
  it("is needed for everything but the page, the document and the state of the server", async () => {
    for (const { path } of ROUTES) expect(await statusOf(path, null, POST_EMPTY)).toBe(401);
    for (const path of ["/metrics", "/mcp", "/api/events", "/api/whoami"])
      expect(await statusOf(path, null)).toBe(401);
    for (const path of ["/healthz", "/readyz", "/api/openapi.json"])
      expect(await statusOf(path, null)).toBe(200);
  });

  it("allows what its rights say and nothing else", async () => {
    for (const right of RIGHTS) {
      const token = await api.token([right]);
      for (const route of ROUTES) {
        const isAllowed = right === "admin" || right === route.right;
        const status = await statusOf(route.path, token, { ...POST_EMPTY, body: '{"noSuchField":1}' });
        expect({ right, path: route.path, isRefused: status === 403 }).toEqual({
          ...{ right, path: route.path, isRefused: !isAllowed },
        });
      }
      expect(await statusOf("/metrics", token)).toBe(right === "metrics" || right === "admin" ? 200 : 403);
    }
  });

  it("is refused once revoked or expired, and when it is forged", async () => {
    const token = await api.token(["read"]);
    expect(await statusOf("/api/whoami", token)).toBe(200);
    const record = (await api.tokens.list()).at(-1);
    await api.tokens.revoke(record?.id ?? "");
    expect(await statusOf("/api/whoami", token)).toBe(401);
    const expired = await api.token(["read"], { expiresAt: "2026-01-01T00:00:00.000Z" });
    expect(await statusOf("/api/whoami", expired)).toBe(401);
    const real = await api.token(["read"]);
    for (const forged of [real.slice(0, -1), `${real}A`, record?.hash ?? "", "lcm_", "' OR 1=1"])
      expect(await statusOf("/api/whoami", forged)).toBe(401);
  });

  it("is stored only as a hash, in a file of its owner", async () => {
    const token = await api.token(["read"]);
    const { readFileSync, statSync } = await import("node:fs");
    const file = `${api.engine.config.dataDir}/tokens.json`;
    expect(readFileSync(file, "utf8")).not.toContain(token.slice(4));
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("cannot be guessed without end, and guesses keep nobody else out", async () => {
    const guarded = await startApi("sqlite");
    const statuses = [];
    for (let guess = 0; guess < 30; guess++)
      statuses.push((await guarded.fetch("/api/whoami", `lcm_${guess}`)).status);
    expect(statuses).toContain(429);
    // Somebody else's wrong tokens, or a page of a server that has ended, must not keep the owner out.
    expect((await guarded.fetch("/api/whoami", await guarded.token(["read"]))).status).toBe(200);
    const [, code] = guarded.server.newLink().split("#code=");
    const opened = await guarded.fetch("/api/session", null, {
      ...POST_EMPTY,
      body: JSON.stringify({ code }),
    });
    expect(opened.status).toBe(200);
    await guarded.close();
  });
});

describe.each(ENGINES)("tenants on %s", (engineName) => {
  it("see nothing of each other, by list, search or id", async () => {
    const shared = await startApi(engineName);
    const conversation = await fill(shared.engine);
    const { summaries } = await shared.engine.context.conversations.summaries(conversation);
    const { rows } = await shared.engine.memory.list();
    for (const scope of [{ tenant: "other" }, { agent: "other" }]) {
      const other = await shared.client(["read", "write", "erase"], scope);
      expect((await other.call("conversations list", { archived: true })).conversations).toEqual([]);
      expect((await other.call("grep", { pattern: "kettle" })).hits).toEqual([]);
      const refused = { problem: { status: 404 } };
      const ids = [conversation, summaries[0]?.id ?? "", `msg_${conversation.slice(5)}_1`];
      for (const id of ids) {
        if (id !== conversation) await expect(other.call("describe", { id })).rejects.toMatchObject(refused);
        await expect(other.call("read", { id })).rejects.toMatchObject(refused);
        await expect(other.call("erase", { id })).rejects.toMatchObject(refused);
      }
      for (const name of ["tree", "turns", "compactions", "context", "compact", "transcript"] as const)
        await expect(other.call(name, { conversation })).rejects.toMatchObject(refused);
      await expect(other.call("conversations delete", { conversation })).rejects.toMatchObject(refused);
      if (scope.tenant !== undefined)
        await expect(other.call("memory show", { id: rows[0]?.id ?? "" })).rejects.toMatchObject(refused);
      await expect(other.call("status", {})).rejects.toMatchObject({ problem: { status: 403 } });
      await expect(other.call("export", {})).rejects.toMatchObject({ problem: { status: 403 } });
      const turn = { conversation: "tea", key: "1", messages: [{ role: "user", content: "mine" }] };
      expect(await other.call("turns commit", turn)).toMatchObject({ status: "committed" });
    }
    const { messages } = await shared.engine.context.read({ conversation: "tea" });
    expect(messages).toHaveLength(60);
    await shared.close();
  });
});

describe("the page's link", () => {
  it("opens one session, once", async () => {
    const code = new URL(api.server.newLink()).hash.slice("#code=".length);
    const open = () => api.fetch("/api/session", null, { ...POST_EMPTY, body: JSON.stringify({ code }) });
    const { token } = JSON.parse(await (await open()).text());
    expect(await statusOf("/api/v1/status", token)).toBe(200);
    expect((await open()).status).toBe(401);
  });
});

describe("a request", () => {
  let admin: string;
  beforeAll(async () => {
    admin = await api.token(["admin"]);
  });

  /** Headers that `fetch` would not let us set. */
  async function rawStatus(headers: Record<string, string>): Promise<number> {
    const outgoing = request(new URL("/api/whoami", api.server.url), {
      headers: { authorization: `Bearer ${admin}`, ...headers },
    });
    outgoing.end();
    const [response] = await once(outgoing, "response");
    response.resume();
    return response.statusCode;
  }

  it("is refused from another page, and under a name that was rebound", async () => {
    const { port, host } = new URL(api.server.url);
    expect(await rawStatus({})).toBe(200);
    expect(await rawStatus({ origin: `http://${host}` })).toBe(200);
    for (const origin of ["http://evil.example", "null", `http://evil.example:${port}`, "http://127.0.0.1:1"])
      expect(await rawStatus({ origin })).toBe(403);
    for (const name of ["evil.example", `evil.example:${port}`, `127.0.0.1:${port}@evil.example`])
      expect(await rawStatus({ host: name })).toBe(403);
  });

  it("gets no header that opens it to other origins", async () => {
    const response = await api.fetch("/api/openapi.json", null);
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it.each([
    ["no type", {}, 415],
    ["the type of a form", { "content-type": "application/x-www-form-urlencoded" }, 415],
    ["text", { "content-type": "text/plain" }, 415],
  ])("with %s is refused", async (_, headers: Record<string, string>, status) => {
    expect(await statusOf("/api/v1/grep", admin, { method: "POST", headers, body: "{}" })).toBe(status);
  });

  it.each(["", "[]", "null", "1", "{", '{"pattern":', "\u0000", '"x"'])(
    "with the body %j is refused",
    async (body) => {
      expect(await statusOf("/api/v1/grep", admin, { ...POST_EMPTY, body })).toBe(400);
    },
  );

  it("may be large only where turns are stored", async () => {
    const body = JSON.stringify({ pattern: "x".repeat(2_000_000) });
    expect(await statusOf("/api/v1/grep", admin, { ...POST_EMPTY, body })).toBe(413);
    const pieces = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode("x".repeat(65_536))),
    });
    const chunked = { ...POST_EMPTY, body: pieces, duplex: "half" } as RequestInit;
    expect(await statusOf("/api/v1/grep", admin, chunked).catch(() => 413)).toBe(413);
    const content = "word ".repeat(600_000);
    const turn = { conversation: "large", key: "1", messages: [{ role: "user", content }] };
    expect(await statusOf("/api/v1/turns/commit", admin, { ...POST_EMPTY, body: JSON.stringify(turn) })).toBe(
      200,
    );
  });

  it("may be compressed with gzip, and is measured once it is decompressed", async () => {
    const send = (body: Uint8Array, encoding = "gzip", address = "/api/v1/grep") =>
      api.fetch(address, admin, {
        method: "POST",
        headers: { "content-type": "application/json", "content-encoding": encoding },
        body,
      });
    const packed = gzipSync('{"pattern":"kettle"}');
    expect((await send(packed)).status).toBe(200);
    const bomb = gzipSync(`{"pattern":"${"x".repeat(50_000_000)}"}`);
    expect(bomb.length).toBeLessThan(100_000);
    for (const [body, status] of [
      [bomb, 413],
      [packed.subarray(0, -12), 400],
      [Buffer.from('{"pattern":"kettle"}'), 400],
    ] as const) {
      const refused = await send(body);
      expect(refused.headers.get("content-type")).toBe("application/problem+json");
      expect(refused.status).toBe(status);
    }
    for (const [encoding, address, accepted] of [
      ["br", "/api/v1/grep", "gzip"],
      ["gzip, gzip", "/api/v1/grep", "gzip"],
      ["gzip", "/mcp", "identity"],
    ] as const) {
      const refused = await send(packed, encoding, address);
      expect(refused.status).toBe(415);
      expect(refused.headers.get("accept-encoding")).toBe(accepted);
      expect(await refused.json()).toMatchObject({ code: "unsupported-media-type" });
    }
  });

  it("never names a file of the server", async () => {
    for (const [path, field] of [
      ["/api/v1/files/cat", "output"],
      ["/api/v1/transcript", "output"],
      ["/api/v1/export", "file"],
      ["/api/v1/memory/export", "file"],
    ] as const) {
      const body = JSON.stringify({ id: "x", conversation: "x", [field]: "/tmp/owned" });
      expect(await statusOf(path, admin, { ...POST_EMPTY, body })).toBe(400);
    }
    for (const path of ["/api/v1/import", "/api/v1/files/add", "/api/v1/restore", "/api/v1/token/create"])
      expect(await statusOf(path, admin, POST_EMPTY)).toBe(404);
  });

  it("with any body or query is answered, and never with a fault of ours", async () => {
    await fill(api.engine);
    const routes = ROUTES.filter(({ operation, right }) => operation.runsOn !== "setup" && right !== "erase");
    const input = fc.record({
      route: fc.constantFrom(...routes),
      fields: fc.array(fc.tuple(fc.nat(30), fc.oneof(fc.jsonValue(), fc.string(), fc.constant("tea")))),
      isGet: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(input, async ({ route, fields, isGet }) => {
        const names = Object.keys(route.input.properties ?? {});
        const given = fields.map(
          ([at, value]) => [names[at % Math.max(1, names.length)] ?? "x", value] as const,
        );
        const query = new URLSearchParams(
          given.map(([name, value]): [string, string] => [
            name,
            typeof value === "string" ? value : JSON.stringify(value),
          ]),
        );
        const body = JSON.stringify(Object.fromEntries(given));
        const status =
          isGet && route.reads
            ? await statusOf(`${route.path}?${query}`, admin)
            : await statusOf(route.path, admin, { ...POST_EMPTY, body });
        expect({ path: route.path, body, isFault: status >= 500 }).toMatchObject({ isFault: false });
      }),
      { numRuns: 150 },
    );
  });

  it("of two hundred at once is answered", async () => {
    const statuses = await Promise.all(
      Array.from({ length: 200 }, () => statusOf("/api/v1/conversations/list", admin)),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it("may be cut off in the middle", async () => {
    const { port } = new URL(api.server.url);
    const sockets = Array.from({ length: 50 }, () => connect(Number(port), "127.0.0.1"));
    for (const socket of sockets) {
      socket.on("error", () => undefined);
      socket.write(`POST /api/v1/grep HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 100\r\n`);
    }
    expect(await statusOf("/healthz", null)).toBe(200);
    for (const socket of sockets) socket.destroy();
    expect(await statusOf("/readyz", null)).toBe(200);
  });

  it("may be read slowly: the server waits for the reader and holds no more than a part of the answer", async () => {
    const bytes = Buffer.alloc(24 * 1024 * 1024, "line of a large file\n");
    const { id } = await api.engine.context.files.attach({
      conversation: "slow",
      open: async function* () {
        yield bytes;
      },
    });
    const before = process.memoryUsage().arrayBuffers;
    const response = await api.fetch(`/api/v1/files/cat?id=${id}`, admin, {
      headers: { accept: "application/octet-stream" },
    });
    const reader = response.body?.getReader();
    const first = await reader?.read();
    await wait(300);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(bytes.length / 2);
    expect(await statusOf("/readyz", null)).toBe(200);
    let size = first?.value?.length ?? 0;
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
      size += part.value.length;
    expect(size).toBe(bytes.length);
  });

  it("is refused when there are too many", async () => {
    const limited = await startApi("sqlite", { rate: { perSecond: 1, burst: 5 } });
    const token = await limited.token(["read"]);
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => limited.fetch("/api/whoami", token)),
    );
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(5);
    expect(responses.find(({ status }) => status === 429)?.headers.get("retry-after")).toBe("1");
    await limited.close();
  });
});

describe("a server", () => {
  it("listens for other machines only when there is a token", async () => {
    const closed = await startApi("sqlite");
    await expect(serve(closed.engine, { port: 0, host: "0.0.0.0" })).rejects.toThrow("there is no token");
    await closed.close();
  });

  it("lets requests end when it is closed, and tells live viewers", async () => {
    const closing = await startApi("sqlite");
    const client = await closing.client(["read"]);
    const events = client.changes().next();
    await wait(200);
    await closing.close();
    expect(await events).toEqual({ done: true, value: undefined });
  });

  it("tells a viewer nothing more once its token is revoked", async () => {
    const viewer = await api.client(["read"]);
    const record = (await api.tokens.list()).at(-1);
    const events = viewer.changes();
    const first = events.next();
    await wait(200);
    await fill(api.engine, "seen");
    expect((await first).done).toBe(false);
    await api.tokens.revoke(record?.id ?? "");
    await api.engine.context.conversations.rename("seen", "not for revoked tokens");
    const later = [];
    for await (const { conversations } of events) later.push(...conversations.map(({ title }) => title));
    expect(later).not.toContain("not for revoked tokens");
  });

  it("offers MCP with the tools that the token allows", async () => {
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const toolsOf = async (token: string) =>
      (await api.fetch("/mcp", token, { method: "POST", headers, body: JSON.stringify(list) })).text();
    const reader = await toolsOf(await api.token(["read"]));
    expect(reader).toContain("lcm_grep");
    expect(reader).not.toContain("memory_store");
    const writer = await toolsOf(await api.token(["read", "write"]));
    expect(writer).toContain("memory_store");
    expect(writer).not.toContain("memory_forget");
  });
});
