/**
 * Identifies the caller. A server on standard input and output has one client. Over HTTP each request gets its own
 * server, and clients have no session: they are distinguished by their connection.
 */
import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";

/** Always set by us, so that a client cannot impersonate another connection. */
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

/** Undefined for requests that did not come over HTTP. */
export function connectionOf(request: Request | undefined): string | undefined {
  return request?.headers.get(CONNECTION_HEADER) ?? undefined;
}
