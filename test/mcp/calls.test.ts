/** Progress, cancelling and printing, with sample tools that run as operations do. */
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { open } from "../../src/engine.ts";
import { serveHttp } from "../../src/mcp/serve-http.ts";
import { temporaryFolder } from "../temporary-store.ts";
import { type Connection, callText, connectHttp, connectProgram, ERAS } from "./clients.ts";
import { createSampleServer } from "./sample-server.ts";

const PROGRAM = fileURLToPath(new URL("./sample-program.ts", import.meta.url));

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 200 && !isSo(); tries++) await wait(50);
}

describe.each(ERAS)("a call by a client of %s", (era) => {
  let client: Client;
  let errors: Connection["errors"];
  beforeAll(async () => {
    ({ client, errors } = await connectProgram([PROGRAM, temporaryFolder()], era));
  });

  it("tells how far it has come", async () => {
    const told: unknown[] = [];
    const onprogress = (progress: unknown) => told.push(progress);
    const { text } = await callText(client, "test_tool_with_progress", {}, { onprogress });
    expect(text).toBe("done");
    expect(told).toEqual([
      { progress: 1, message: "1 message" },
      { progress: 50, message: "50 messages" },
      { progress: 100, message: "100 messages" },
    ]);
  });

  it("is cancelled in the engine when the client cancels it, and the server goes on", async () => {
    const stop = new AbortController();
    const options = { signal: stop.signal, onprogress: () => stop.abort() };
    await expect(callText(client, "test_endless", {}, options)).rejects.toThrow();
    await until(() => errors().includes("endless was cancelled"));
    expect(errors()).toContain("endless was cancelled");
    expect((await callText(client, "test_simple_text", {})).isError).toBe(false);
  });

  it("keeps the protocol whole when a package prints", async () => {
    expect((await callText(client, "test_printing", {})).text).toBe("printed");
    await until(() => errors().includes("console.info"));
    expect(errors()).toContain("printed by console.log\nprinted by console.info\n");
  });

  it("says of a failure whether trying again can help", async () => {
    expect(await callText(client, "test_store_failure", {})).toMatchObject({
      isError: true,
      text: "test_store_failure failed (busy): another process holds the lock\nWait a moment.\nThe same call may succeed later.",
    });
    const { text } = await callText(client, "test_error_handling", {});
    expect(text).toMatch(
      /^test_error_handling failed \(internal\): This tool intentionally.*\nThis is a bug/,
    );
  });

  it("is advised in the names of tools, where there is one for a command", async () => {
    const { text } = await callText(client, "test_advice", {});
    expect(text).toBe(
      'test_advice failed (not-found): nothing there\nTry: lcm_grep with {"pattern":"tea"}, or lcm doctor.\n(Commands that begin with lcm are for a person to run in a terminal.)',
    );
  });

  it("has the defaults that are meant for models", async () => {
    expect((await callText(client, "test_defaults", {})).text).toBe('{"room":4000}');
    expect((await callText(client, "test_defaults", { room: 1 })).text).toBe('{"room":1}');
  });

  // A notification of the older era arrives as a request of its own, which nothing connects with the call.
  const ways = era === "2026-07-28" ? ["goes away", "cancels it"] : ["goes away"];
  it.each(ways)("is cancelled over HTTP when the client %s", async (how) => {
    const engine = await open({
      store: temporaryFolder(),
      background: "off",
      config: { logLevel: "silent" },
    });
    let isCancelled = false;
    const onCancelled = () => {
      isCancelled = true;
    };
    const factory = () => createSampleServer(async () => engine, { onCancelled });
    const server = await serveHttp(factory, { port: 0, report: () => undefined });
    try {
      const caller = await connectHttp(server.url, era);
      const stop = new AbortController();
      const onprogress = () => (how === "goes away" ? void caller.close() : stop.abort());
      const call = callText(caller, "test_endless", {}, { signal: stop.signal, onprogress });
      await expect(call).rejects.toThrow();
      await until(() => isCancelled);
      expect(isCancelled).toBe(true);
    } finally {
      await server.close();
      await engine.close();
    }
  });
});
