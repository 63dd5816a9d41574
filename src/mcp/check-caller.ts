/**
 * Checks callers over HTTP. Any page in a browser on this machine can send requests to a local port, also under its own
 * host name that resolves to it (DNS rebinding), but it cannot forge these two headers.
 */
import type { IncomingHttpHeaders } from "node:http";

const LOCAL_NAMES: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * Why a request is rejected; null if it is accepted. `names`: other host names of the server, of a proxy
 * or in a network, with any port.
 */
export function refusalOf(
  { host, origin }: IncomingHttpHeaders,
  port: number,
  names: readonly string[] = [],
): string | null {
  if (host === undefined || !isHere(`http://${host}`, port, names))
    return "The Host header must name this server: 127.0.0.1 or localhost, with its port.";
  // Programs send no origin. Pages do: only those of this server are accepted.
  if (origin !== undefined && !isHere(origin, port, names))
    return "The Origin header names another site: web pages cannot call this server.";
  return null;
}

function isHere(address: string, port: number, names: readonly string[]): boolean {
  const url = URL.parse(address);
  if (url === null || url.pathname !== "/" || url.username !== "" || url.password !== "") return false;
  if (["http:", "https:"].includes(url.protocol) && names.includes(url.hostname)) return true;
  return url.protocol === "http:" && LOCAL_NAMES.has(url.hostname) && Number(url.port || 80) === port;
}
