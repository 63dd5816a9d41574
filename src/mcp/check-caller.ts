/**
 * Who may call over HTTP. Any page in a browser on this machine can send requests to a local port, also under a name
 * of its own that resolves to it (DNS rebinding); what it cannot do is forge these two headers.
 */
import type { IncomingHttpHeaders } from "node:http";

const LOCAL_NAMES: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * Why a request is refused; null when it is not. `names`: other names under which the server is reached, through a proxy
 * or in a network, with any port.
 */
export function refusalOf(
  { host, origin }: IncomingHttpHeaders,
  port: number,
  names: readonly string[] = [],
): string | null {
  if (host === undefined || !isHere(`http://${host}`, port, names))
    return "The Host header must name this server: 127.0.0.1 or localhost, with its port.";
  // Programs send no origin. Pages do: only one that came from this very server would be let in.
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
