/** `lcm mcp --http`: the same server on loopback, for clients of both eras, and closed to web pages. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { request } from "node:http";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { spawnLcm, startLcm, temporaryFolder } from "../cli/lcm.ts";
import { importInto } from "../cli/stores.ts";
import { neutral, said } from "../cli/transcripts.ts";
import { callText, connectHttp, ERAS, resourceText } from "./clients.ts";

interface Running {
  readonly url: string;
  readonly process: ReturnType<typeof startLcm>;
}

async function startHttp(store: string): Promise<Running> {
  const process = startLcm(["--data", store, "mcp", "--http", "0"]);
  let said = "";
  while (!said.includes("MCP on ")) {
    const [piece] = await once(process.stderr ?? process, "data");
    said += String(piece);
  }
  return { process, url: /MCP on (\S+);/.exec(said)?.[1] ?? "" };
}

/** Headers that `fetch` would not let us set. */
async function post(
  url: string,
  headers: Record<string, string>,
  body = "{}",
): Promise<{ status: number; text: string }> {
  const outgoing = request(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
  });
  outgoing.end(body);
  const [response] = await once(outgoing, "response");
  let text = "";
  for await (const piece of response) text += String(piece);
  return { status: response.statusCode, text };
}

const PING = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });

describe("lcm mcp --http", () => {
  let store: string;
  let running: Running;
  beforeAll(async () => {
    const folder = temporaryFolder();
    store = path.join(folder, "store");
    writeFileSync(path.join(folder, "t.jsonl"), neutral("tea", [said("user", "the teapot is blue", "1")]));
    await importInto(store, path.join(folder, "t.jsonl"));
    running = await startHttp(store);
  });
  afterAll(() => {
    running.process.kill();
  });

  it.each(ERAS)("serves a client of %s", async (era) => {
    const client = await connectHttp(running.url, era);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("lcm_grep");
    const told: unknown[] = [];
    const { text } = await callText(
      client,
      "lcm_grep",
      { pattern: "teapot", mode: "regex" },
      { onprogress: (progress) => told.push(progress) },
    );
    expect(text).toContain("> the teapot is blue");
    expect(told).toEqual([{ progress: 1, message: "1 found" }]);
    expect(await resourceText(client, "palimpsest://conversation/tea")).toContain("> the teapot is blue");
    expect((await client.listPrompts()).prompts).toHaveLength(2);
    expect((await callText(client, "lcm_grep", {})).isError).toBe(true);
  });

  it("answers many clients at once", async () => {
    const clients = await Promise.all(Array.from({ length: 8 }, () => connectHttp(running.url)));
    const answers = await Promise.all(
      clients.map((client) => callText(client, "lcm_grep", { pattern: "blue" })),
    );
    for (const { text } of answers) expect(text).toContain("> the teapot is blue");
  });

  it.each([
    ["a name that was rebound to this machine", { host: "evil.example" }],
    ["that name with our port", { host: "evil.example:PORT" }],
    ["another port", { host: "127.0.0.1:1" }],
    ["a host that hides behind credentials", { host: "127.0.0.1:PORT@evil.example" }],
  ])("refuses a request for %s", async (_, { host }) => {
    const { port } = new URL(running.url);
    const { status, text } = await post(running.url, { host: host.replace("PORT", port) }, PING);
    expect(status).toBe(403);
    expect(text).toContain("Host header");
  });

  it.each([
    "http://evil.example",
    "null",
    "http://localhost:1",
    "https://localhost:PORT",
    "chrome-extension://x",
  ])("refuses a page from %s", async (origin) => {
    const { port } = new URL(running.url);
    const { status, text } = await post(running.url, { origin: origin.replace("PORT", port) }, PING);
    expect(status).toBe(403);
    expect(text).toContain("web pages cannot call");
  });

  it("lets in what names it rightly", async () => {
    const { port } = new URL(running.url);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`]) {
      expect((await post(running.url, { host }, PING)).status).toBe(200);
      expect((await post(running.url, { host, origin: `http://${host}` }, PING)).status).toBe(200);
    }
  });

  it("says where it is, and takes no more than it can need", async () => {
    const elsewhere = await fetch(new URL("/", running.url));
    expect({ status: elsewhere.status, text: await elsewhere.text() }).toMatchObject({
      status: 404,
      text: expect.stringContaining("MCP is served at /mcp"),
    });
    expect((await post(running.url, {}, `"${"x".repeat(2_000_000)}"`)).status).toBe(413);
    expect((await post(running.url, { "content-type": "text/plain" }, PING)).status).toBe(415);
    expect((await fetch(running.url)).status).toBe(405);
  });

  it.each(["0.0.0.0:8417", "0.0.0.0", "[::]:8417", "192.168.1.2:8417", "example.org:8417"])(
    "refuses to listen on %s, with the reason",
    async (address) => {
      const { code, stdout, stderr } = await spawnLcm(["--data", store, "mcp", "--http", address]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(`MCP can listen on 127.0.0.1 only, not on ${address}`);
      expect(stderr).toContain("there is no login");
    },
  );

  it.each(["abc", "70000", "-1"])("refuses %s, which is not a port", async (port) => {
    const { code, stderr } = await spawnLcm(["--data", store, "mcp", `--http=${port}`]);
    expect(code).toBe(2);
    expect(stderr).toContain(`invalid port "${port}"`);
  });

  it("refuses a port that is in use", async () => {
    const { port } = new URL(running.url);
    const { code, stderr } = await spawnLcm(["--data", store, "mcp", "--http", port]);
    expect(code).toBe(2);
    expect(stderr).toContain(`port ${port} is in use`);
  });

  it.each(["SIGTERM", "SIGINT"] as const)("ends by itself on %s", async (signal) => {
    const { process } = await startHttp(store);
    process.kill(signal);
    expect(await once(process, "close")).toEqual([0, null]);
  });
});
