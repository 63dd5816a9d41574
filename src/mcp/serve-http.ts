/**
 * MCP over Streamable HTTP on this machine only. Requests are independent, so no state is kept
 * between them; a disconnected client cancels its calls.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createMcpHandler, type McpServerFactory } from "@modelcontextprotocol/server";
import { goneSignal, listen, portIn, sendResponse, toRequest } from "../http/node-http.ts";
import { refusalOf } from "./check-caller.ts";
import { CONNECTION_HEADER, connectionOn } from "./connection.ts";
import type { ServeOptions } from "./serve-stdio.ts";

const HOST = "127.0.0.1";
const MCP_PATH = "/mcp";
/** The longest call is a pattern and a few ids. */
const MOST_BODY_BYTES = 1_048_576;
const MOST_CONNECTIONS = 64;

export interface HttpServer {
  /** `http://127.0.0.1:<port>/mcp` */
  readonly url: string;
  /** Resolves when the server has stopped. */
  close(): Promise<void>;
}

export async function serveHttp(
  factory: McpServerFactory,
  { port, report }: Pick<ServeOptions, "report"> & { readonly port: number },
): Promise<HttpServer> {
  const handler = createMcpHandler(factory, { onerror: report, maxRequestBodySize: MOST_BODY_BYTES });
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing, handler.fetch).catch((error: unknown) => {
      outgoing.destroy();
      report(error instanceof Error ? error : new Error(String(error)));
    });
  });
  server.maxConnections = MOST_CONNECTIONS;
  await listen(server, HOST, port, "Use another port: lcm mcp http=<port>; 0 selects a free port.");
  return {
    url: `http://${HOST}:${portIn(server)}${MCP_PATH}`,
    close: async () => {
      server.close();
      await handler.close();
      server.closeAllConnections();
    },
  };
}

type Fetch = (request: Request) => Promise<Response>;

async function answer(incoming: IncomingMessage, outgoing: ServerResponse, fetch: Fetch): Promise<void> {
  const refusal = refusalOf(incoming.headers, incoming.socket.localPort ?? 0);
  if (refusal !== null) return refuse(outgoing, 403, refusal);
  const url = URL.parse(incoming.url ?? "/", `http://${HOST}`);
  if (url?.pathname !== MCP_PATH) return refuse(outgoing, 404, `MCP is served at ${MCP_PATH}.`);
  if (Number(incoming.headers["content-length"] ?? 0) > MOST_BODY_BYTES) {
    // Read to the end, since closing the connection early would lose the response.
    incoming.resume();
    return refuse(outgoing, 413, `A request can have at most ${MOST_BODY_BYTES} bytes.`);
  }
  const headers = { [CONNECTION_HEADER]: connectionOn(incoming.socket) };
  const request = toRequest(incoming, url, { signal: goneSignal(outgoing), headers });
  await sendResponse(await fetch(request), outgoing);
}

/** In the MCP format of errors without a request. */
function refuse(outgoing: ServerResponse, status: number, message: string): void {
  outgoing.writeHead(status, { "content-type": "application/json" });
  outgoing.end(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32_000, message } }));
}
