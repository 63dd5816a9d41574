/**
 * Identifies the caller. A server on standard input and output has one client. Over HTTP each request gets its own
 * server, and clients have no session: they are distinguished by their connection.
 */
import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";

/** Set by us on every request, so that nobody can speak for another connection. */
export const CONNECTION_HEADER = "palimpsest-connection";

export function newConnection(): string {
  return `mcp ${randomUUID()}`;
}

const connections = new WeakMap<Socket, string>();

/** The same for as long as the connection is open. */
export function connectionOn(socket: Socket): string {
  const known = connections.get(socket) ?? newConnection();
  connections.set(socket, known);
  return known;
}

/** Undefined where the request did not come over HTTP. */
export function connectionOf(request: Request | undefined): string | undefined {
  return request?.headers.get(CONNECTION_HEADER) ?? undefined;
}
