/** Adapts Node's HTTP server to handlers: requests, responses, and the conversion to web requests. */
import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { PalimpsestError } from "../errors.ts";

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | AsyncIterable<string | Uint8Array>;
}

/** A client that disconnects is not an error. */
export async function sendAnswer({ status, headers, body }: Answer, outgoing: ServerResponse): Promise<void> {
  if (body === undefined || typeof body === "string" || body instanceof Uint8Array) {
    const bytes = typeof body === "string" ? Buffer.from(body) : body;
    outgoing.writeHead(status, { ...headers, "content-length": String(bytes?.byteLength ?? 0) });
    outgoing.end(bytes);
    return;
  }
  outgoing.writeHead(status, headers);
  outgoing.flushHeaders();
  await pipe(Readable.from(body, { objectMode: true }), outgoing);
}

export async function sendResponse(
  { status, headers, body }: Response,
  outgoing: ServerResponse,
): Promise<void> {
  outgoing.writeHead(status, Object.fromEntries(headers));
  if (body === null) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  await pipe(Readable.fromWeb(body as ReadableStream), outgoing);
}

async function pipe(source: Readable, outgoing: ServerResponse): Promise<void> {
  await pipeline(source, outgoing).catch((error: unknown) => {
    // If the client has disconnected, there is nothing to report.
    if (!outgoing.destroyed) throw error;
  });
}

export function toRequest(
  incoming: IncomingMessage,
  url: URL,
  { signal, headers: added }: { readonly signal: AbortSignal; readonly headers: Record<string, string> },
): Request {
  const { method = "GET" } = incoming;
  const given = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const headers = new Headers(given);
  for (const [name, value] of Object.entries(added)) headers.set(name, value);
  const body = ["GET", "HEAD"].includes(method) ? {} : { body: Readable.toWeb(incoming), duplex: "half" };
  return new Request(url, { method, headers, signal, ...body } as RequestInit);
}

/** Aborted when the client disconnects or has its response. */
export function goneSignal(outgoing: ServerResponse): AbortSignal {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  return gone.signal;
}

/** `advice`: what to do if the port is in use. */
export async function listen(server: Server, host: string, port: number, advice: string): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? error.code : "";
    const problem = reason === "EADDRINUSE" ? "is in use" : "cannot be used";
    throw new PalimpsestError("invalid-input", `port ${port} ${problem}`, { advice, cause: error });
  }
}

export function portIn(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
