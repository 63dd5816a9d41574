/**
 * Answers requests. Callers are authenticated by a token before anything is read, and
 * every response comes from an engine that is bound to that token's tenant and agent.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { type Engine, internalsOf } from "../engine.ts";
import { messageOf } from "../errors.ts";
import { refusalOf } from "../mcp/check-caller.ts";
import { CONNECTION_HEADER, connectionOn } from "../mcp/connection.ts";
import { createServer } from "../mcp/create-server.ts";
import type { Setup } from "../operations/setup.ts";
import type { TokenFile } from "../operations/tokens/token-file.ts";
import { allows, type Caller, type Right } from "./access.ts";
import { answerOperation } from "./answer-operation.ts";
import { Callers } from "./callers.ts";
import { ChangeFeed } from "./change-feed.ts";
import { type HttpMetrics, httpMetrics } from "./http-metrics.ts";
import { type Answer, goneSignal, sendAnswer, sendResponse, toRequest } from "./node-http.ts";
import { openApi } from "./open-api.ts";
import { problemAnswer, Refusal } from "./problem.ts";
import { type Rate, RateLimit } from "./rate-limit.ts";
import { queryInput, readJson, requireEncoding, tooLarge } from "./request-input.ts";
import { API_ROOT, type Route, rightOf, routeAt } from "./routes.ts";
import { ScopedEngines } from "./scoped-engines.ts";
import type { ServeOptions } from "./serve.ts";
import { serveEvents } from "./serve-events.ts";
import type { Page } from "./serve-page.ts";

const DEFAULT_RATE: Rate = { perSecond: 1_000, burst: 2_000 };
const DEFAULT_LIMIT_MS = 60_000;
const MOST_BODY_BYTES = 1_048_576;
/** A turn may contain whole files. */
const MOST_TURN_BYTES = 33_554_432;
const SAFE_HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
};

interface Asked {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly url: URL;
  readonly method: string;
}

export class HttpApp {
  readonly callers: Callers;
  readonly #engines: ScopedEngines;
  readonly #page: Page;
  readonly #options: ServeOptions;
  readonly #rate: RateLimit;
  readonly #feeds = new Map<string, ChangeFeed>();
  readonly #ended = new AbortController();
  readonly #metrics: HttpMetrics | null;
  readonly #base: Engine;
  readonly #openApi = JSON.stringify(openApi());

  constructor(engine: Engine, tokens: TokenFile, page: Page, options: ServeOptions) {
    const { tenant, agent } = engine.config;
    this.#base = engine;
    this.callers = new Callers(tokens, { tenant, agent }, Date.now);
    this.#engines = new ScopedEngines(engine);
    this.#page = page;
    this.#options = options;
    this.#rate = new RateLimit(options.rate ?? DEFAULT_RATE, () => performance.now());
    const viewers = () => [...this.#feeds.values()].reduce((sum, { size }) => sum + size, 0);
    this.#metrics = options.metrics === undefined ? null : httpMetrics(options.metrics.registry, viewers);
  }

  async handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const started = performance.now();
    const { method = "GET" } = incoming;
    for (const [name, value] of Object.entries(SAFE_HEADERS)) outgoing.setHeader(name, value);
    const url = URL.parse(incoming.url ?? "/", "http://127.0.0.1");
    const route = url === null ? "invalid" : routeName(url.pathname);
    try {
      if (url === null) throw new Refusal("invalid-input", "invalid address");
      this.#requireOwnName(incoming);
      const answer = await this.#answer({ incoming, outgoing, url, method });
      if (answer !== null) await sendAnswer(method === "HEAD" ? withoutBody(answer) : answer, outgoing);
    } catch (error) {
      await this.#fail(error, incoming, outgoing);
    }
    const milliseconds = performance.now() - started;
    this.#metrics?.answered(route, outgoing.statusCode, milliseconds);
    const fields = { method, route, status: outgoing.statusCode, milliseconds: Math.round(milliseconds) };
    internalsOf(this.#base).log.debug(fields, "request answered");
  }

  /** Ends live event streams; other requests are completed. */
  end(): void {
    this.#ended.abort();
  }

  async close(): Promise<void> {
    for (const feed of this.#feeds.values()) feed.close();
    this.#metrics?.close();
    await this.#engines.close();
  }

  #requireOwnName({ headers, socket }: IncomingMessage): void {
    const refusal = refusalOf(headers, socket.localPort ?? 0, this.#options.names);
    if (refusal !== null) throw new Refusal("forbidden", refusal);
  }

  async #fail(error: unknown, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const answer = problemAnswer(error);
    if (answer.status === 500)
      internalsOf(this.#base).log.error({ err: error, route: incoming.url?.split("?")[0] }, "request failed");
    // Closing the connection early would lose the response, so the rest of the request is read first.
    incoming.resume();
    if (outgoing.headersSent) outgoing.destroy();
    else await sendAnswer(answer, outgoing);
  }

  /** Null if the response is already sent. */
  async #answer(asked: Asked): Promise<Answer | null> {
    const { incoming, url, method } = asked;
    const { pathname } = url;
    if (pathname === "/healthz") return plain(200, "ok\n");
    if (pathname === "/readyz") return this.#ready();
    if (pathname === "/api/openapi.json") return json(this.#openApi);
    if (pathname === "/api/session") return this.#openSession(asked);
    const isPage = !/^\/(api|mcp|metrics)(\/|$)/.test(pathname);
    if (isPage) return this.#servePage(pathname, method, incoming.headers["if-none-match"]);
    const caller = await this.callers.identify(incoming);
    const seconds = this.#rate.take(caller.id);
    if (seconds > 0)
      throw new Refusal("too-many-requests", "too many requests", { "retry-after": String(seconds) });
    if (pathname === "/metrics") return this.#showMetrics(caller);
    if (pathname === "/mcp") return this.#serveMcp(asked, caller);
    if (pathname === "/api/whoami") return json(JSON.stringify(caller));
    if (pathname === "/api/events") return this.#serveEvents(asked, caller);
    const route = routeAt(pathname);
    if (route === undefined) throw new Refusal("not-found", `not found: ${pathname}`);
    return this.#callOperation(asked, caller, route);
  }

  async #ready(): Promise<Answer> {
    await internalsOf(this.#base).conversations.conversations({ limit: 1 });
    return plain(200, "ready\n");
  }

  async #openSession({ incoming, method }: Asked): Promise<Answer> {
    if (method !== "POST") throw notAllowed("POST");
    const { code }: { code?: unknown } = await readJson(incoming, 4_096);
    if (typeof code !== "string") throw new Refusal("invalid-input", "code must be the code from the link");
    const { token, caller } = this.callers.openSession(code, incoming.socket.remoteAddress ?? "");
    return json(JSON.stringify({ token, ...caller }));
  }

  #servePage(pathname: string, method: string, known: string | undefined): Answer {
    if (!["GET", "HEAD"].includes(method)) throw notAllowed("GET, HEAD");
    const found = this.#page(pathname, known);
    if (found === null) throw new Refusal("not-found", `not found: ${pathname}`);
    return found;
  }

  async #showMetrics(caller: Caller): Promise<Answer> {
    require(caller, "metrics");
    const { metrics } = this.#options;
    if (metrics === undefined) throw new Refusal("not-found", "this server has no metrics");
    const headers = { "content-type": metrics.registry.contentType };
    return { status: 200, headers, body: await metrics.text() };
  }

  async #serveMcp({ incoming, outgoing, url }: Asked, caller: Caller): Promise<null> {
    require(caller, "read");
    requireEncoding(incoming, "identity");
    if (Number(incoming.headers["content-length"] ?? 0) > MOST_BODY_BYTES) throw tooLarge(MOST_BODY_BYTES);
    const engine = this.#engines.working(caller);
    const mayUse = (right: Right | undefined) => right !== undefined && allows(caller, right);
    const handler = createMcpHandler(
      () => createServer(engine, { allows: (operation) => mayUse(rightOf(operation)) }),
      {
        onerror: (error) => internalsOf(engine).log.warn({ problem: messageOf(error) }, "MCP call failed"),
        maxRequestBodySize: MOST_BODY_BYTES,
      },
    );
    const headers = { [CONNECTION_HEADER]: connectionOn(incoming.socket) };
    const request = toRequest(incoming, url, { signal: goneSignal(outgoing), headers });
    await sendResponse(await handler.fetch(request), outgoing);
    return null;
  }

  async #serveEvents({ incoming, outgoing, method }: Asked, caller: Caller): Promise<null> {
    if (method !== "GET") throw notAllowed("GET");
    require(caller, "read");
    const isAllowed = () =>
      this.callers.identify(incoming).then(
        () => true,
        () => false,
      );
    await serveEvents(outgoing, this.#feedOf(caller), { ended: this.#ended.signal, isAllowed });
    return null;
  }

  #feedOf({ tenant, agent }: Caller): ChangeFeed {
    const key = JSON.stringify([tenant, agent]);
    const report = (error: unknown) =>
      internalsOf(this.#base).log.warn({ problem: messageOf(error) }, "changes could not be looked for");
    const feed = this.#feeds.get(key) ?? new ChangeFeed(this.#engines.working({ tenant, agent }), report);
    this.#feeds.set(key, feed);
    return feed;
  }

  async #callOperation(
    { incoming, outgoing, url, method }: Asked,
    caller: Caller,
    route: Route,
  ): Promise<Answer> {
    const isGet = method === "GET" || method === "HEAD";
    if (!isGet && method !== "POST") throw notAllowed(route.reads ? "GET, HEAD, POST" : "POST");
    if (isGet && !route.reads) throw notAllowed("POST");
    require(caller, route.right);
    const most = route.words === "turns commit" ? MOST_TURN_BYTES : MOST_BODY_BYTES;
    const input = isGet ? queryInput(url.searchParams, route.input) : await readJson(incoming, most);
    const { limitMs = DEFAULT_LIMIT_MS } = this.#options;
    return answerOperation({
      ...{ route, input, isGet },
      on: this.#whatItRunsOn(route, caller, isGet),
      accept: incoming.headers.accept ?? "",
      known: isGet ? incoming.headers["if-none-match"] : undefined,
      signal: goneSignal(outgoing),
      limitMs: route.reads ? limitMs : 10 * limitMs,
      onOutput: (output) => this.#count(route, output),
    });
  }

  #count({ words }: Route, output: unknown): void {
    const { problems }: { problems?: unknown } = Object(output);
    if (words === "verify" && Array.isArray(problems))
      this.#options.metrics?.countIntegrityFailures(problems.length);
  }

  #whatItRunsOn({ operation, words }: Route, caller: Caller, isGet: boolean): Engine | Setup {
    if (operation.runsOn === "setup") {
      const { setup } = this.#options;
      if (setup === undefined) throw new Refusal("not-supported", `${words} is not available over HTTP`);
      return setup;
    }
    const isLook = words === "context" && (isGet || !allows(caller, "write"));
    return isLook ? this.#engines.looking(caller) : this.#engines.working(caller);
  }
}

function require(caller: Caller, right: Right): void {
  if (!allows(caller, right))
    throw new Refusal(
      "forbidden",
      `this requires a token with the right ${right}; this token has ${caller.rights.join(", ")}`,
    );
}

function notAllowed(methods: string): Refusal {
  return new Refusal("method-not-allowed", `use ${methods}`, { allow: methods });
}

function plain(status: number, body: string): Answer {
  return { status, headers: { "content-type": "text/plain; charset=utf-8" }, body };
}

function json(body: string): Answer {
  return { status: 200, headers: { "content-type": "application/json", "cache-control": "no-store" }, body };
}

function withoutBody({ status, headers }: Answer): Answer {
  return { status, ...(headers === undefined ? {} : { headers }) };
}

/** A fixed set of names, so that arbitrary requested paths cannot fill the metrics. */
function routeName(pathname: string): string {
  if (pathname.startsWith(API_ROOT)) return routeAt(pathname)?.words ?? "unknown";
  const named = [
    "/healthz",
    "/readyz",
    "/metrics",
    "/mcp",
    "/api/events",
    "/api/session",
    "/api/openapi.json",
  ];
  return named.includes(pathname) ? pathname : "page";
}
