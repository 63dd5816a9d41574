/** The HTTP server: the API, the page, MCP, live changes and metrics on one port. */
import { createServer, type Server } from "node:http";
import type { Engine } from "../engine.ts";
import type { PrometheusMetrics } from "../metrics/prometheus.ts";
import type { Setup } from "../operations/setup.ts";
import { TokenFile } from "../operations/tokens/token-file.ts";
import { requireTokens } from "./callers.ts";
import { HttpApp } from "./http-app.ts";
import { listen, portIn } from "./node-http.ts";
import type { Rate } from "./rate-limit.ts";
import { openPage } from "./serve-page.ts";

export interface ServeOptions {
  /** Default 8417; 0 uses any free port. */
  readonly port?: number;
  /** Address to listen on. Any other than a loopback address needs a token. Default 127.0.0.1. */
  readonly host?: string;
  /** Host names of the server besides 127.0.0.1 and localhost: of a proxy, or in a network. */
  readonly names?: readonly string[];
  /** For operations that do not run on an engine: verify, doctor, config show. Default: they are rejected. */
  readonly setup?: Setup;
  /** If set, `/metrics` serves them. Must be the object that the engine was opened with. */
  readonly metrics?: PrometheusMetrics;
  /** Rate limit per caller. Default 1,000 a second, in bursts of 2,000. */
  readonly rate?: Rate;
  /** Time limit of a reading call. Default 60,000 ms; writing calls have ten times as long. */
  readonly limitMs?: number;
  /** The folder of the built page. Default: in the package. */
  readonly pageFolder?: string;
}

export interface RunningServer {
  /** `http://127.0.0.1:8417` */
  readonly url: string;
  /** An address of the page that can be opened once, within 15 minutes. */
  newLink(): string;
  /** Stops listening, waits for running requests, and closes the rest after ten seconds. */
  close(): Promise<void>;
}

export const DEFAULT_PORT = 8417;
const LOOPBACK: readonly string[] = ["127.0.0.1", "localhost", "::1"];
const MOST_CONNECTIONS = 1_024;
const CLOSING_MS = 10_000;

export async function serve(engine: Engine, options: ServeOptions = {}): Promise<RunningServer> {
  const { host = "127.0.0.1", port = DEFAULT_PORT } = options;
  const tokens = new TokenFile(engine.config.dataDir);
  if (!LOOPBACK.includes(host)) await requireTokens(tokens, host);
  const app = new HttpApp(engine, tokens, await openPage(options.pageFolder), options);
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 60_000 }, (incoming, outgoing) =>
    app.handle(incoming, outgoing),
  );
  server.timeout = 120_000;
  server.maxConnections = MOST_CONNECTIONS;
  await listen(server, host, port, "Use another port; 0 selects a free port.");
  const url = `http://${LOOPBACK.includes(host) ? "127.0.0.1" : host}:${portIn(server)}`;
  return {
    url,
    newLink: () => `${url}/#code=${app.callers.newCode()}`,
    close: () => close(server, app),
  };
}

async function close(server: Server, app: HttpApp): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  app.end();
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), CLOSING_MS);
  await closed;
  clearTimeout(cut);
  await app.close();
}
