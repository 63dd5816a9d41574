/** A service that answers JSON by a script, on a real port of this machine: for embeddings and rankings. */
import { createServer, type IncomingMessage } from "node:http";

export interface JsonRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
}

export type JsonAnswer =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body: unknown }
  /** Words that are no JSON. */
  | { readonly words: string }
  | "hang"
  | "reset";

export interface JsonServer {
  readonly url: string;
  readonly requests: readonly JsonRequest[];
  close(): Promise<void>;
}

export async function startJsonServer(
  answer: (request: JsonRequest, index: number) => JsonAnswer,
): Promise<JsonServer> {
  const requests: JsonRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const request = { path: incoming.url ?? "", headers: incoming.headers, body: await bodyOf(incoming) };
    const said = answer(request, requests.push(request) - 1);
    if (said === "hang") return;
    if (said === "reset") return void response.socket?.resetAndDestroy();
    if ("words" in said) return void response.end(said.words);
    response.writeHead(said.status ?? 200, { "content-type": "application/json", ...said.headers });
    response.end(JSON.stringify(said.body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${address.port}`, requests, close };
}

async function bodyOf(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString() || "null");
}
