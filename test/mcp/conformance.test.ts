/**
 * The official conformance suite against our server with the samples that it asks for. What we do not offer is named
 * with the reason, and the whole list is compared with the suite's, so that a new scenario is noticed.
 */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, open } from "../../src/engine.ts";
import { type HttpServer, serveHttp } from "../../src/mcp/serve-http.ts";
import { temporaryFolder } from "../temporary-store.ts";
import { createSampleServer } from "./sample-server.ts";

const SUITE = fileURLToPath(new URL("../../node_modules/.bin/conformance", import.meta.url));
const run = promisify(execFile);

const SCENARIOS = [
  "server-initialize",
  "logging-set-level",
  "ping",
  "completion-complete",
  "tools-list",
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-mixed-content",
  "tools-call-with-logging",
  "tools-call-error",
  "tools-call-with-progress",
  "json-schema-2020-12",
  "resources-list",
  "resources-read-text",
  "resources-read-binary",
  "resources-templates-read",
  "prompts-list",
  "prompts-get-simple",
  "prompts-get-with-args",
  "prompts-get-embedded-resource",
  "prompts-get-with-image",
  "dns-rebinding-protection",
];

const ASKS_CLIENT = "asks the client back in the middle of a call; our tools only read, and never do";
const KEEPS_SESSION =
  "takes up a broken stream in a session; our HTTP is stateless, and the client calls again";
const WATCHES = "watches a resource; ours are read when they are wanted";
const NOT_OFFERED: Readonly<Record<string, string>> = {
  "tools-call-sampling": ASKS_CLIENT,
  "tools-call-elicitation": ASKS_CLIENT,
  "elicitation-sep1034-defaults": ASKS_CLIENT,
  "elicitation-sep1330-enums": ASKS_CLIENT,
  "server-sse-polling": KEEPS_SESSION,
  "server-sse-multiple-streams": KEEPS_SESSION,
  "resources-subscribe": WATCHES,
  "resources-unsubscribe": WATCHES,
};

describe("the official conformance suite", () => {
  let engine: Engine;
  let server: HttpServer;
  let report: string;
  beforeAll(async () => {
    engine = await open({ store: temporaryFolder(), background: "off", config: { logLevel: "silent" } });
    const factory = () => createSampleServer(async () => engine);
    server = await serveHttp(factory, { port: 0, report: () => undefined });
    report = await runSuite("server", "--url", server.url, "--suite", "all", "-o", temporaryFolder());
  });
  afterAll(async () => {
    await server.close();
    await engine.close();
  });

  it("has no scenario that is neither run nor named as not offered", async () => {
    const all = [...(await runSuite("list", "--server")).matchAll(/^ {2}- (\S+)/gm)].map((match) => match[1]);
    expect([...SCENARIOS, ...Object.keys(NOT_OFFERED)].toSorted()).toEqual(all.toSorted());
  });

  it.each(SCENARIOS)("is passed in %s", (scenario) => {
    const line = report.split("\n").find((candidate) => candidate.includes(` ${scenario}: `));
    expect(line).toMatch(/: [1-9]\d* passed, 0 failed$/);
  });
});

/** What it prints; scenarios that fail end it with a code, and are seen in the text. */
async function runSuite(...args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [SUITE, ...args]).catch(
    (error: { stdout: string }) => error,
  );
  return stdout;
}
