import { PalimpsestError } from "../errors.ts";

export const DEFAULT_PORT = 8417;

/** The port to listen on, from `8417`, `127.0.0.1:8417` or `localhost:8417`. Any other address is rejected. */
export function portOf(address: string): number {
  const [, host = "127.0.0.1", digits = ""] = /^(?:(.*):)?([^:]*)$/.exec(address) ?? [];
  if (digits.includes(".") || !["127.0.0.1", "localhost"].includes(host)) throw elsewhere(address);
  const port = Number(digits);
  if (/^\d+$/.test(digits) && port <= 65_535) return port;
  throw new PalimpsestError("invalid-input", `invalid port "${digits}"`, {
    advice: "Use a number from 0 to 65535; 0 selects a free port.",
  });
}

function elsewhere(address: string): PalimpsestError {
  return new PalimpsestError("not-supported", `MCP can listen on 127.0.0.1 only, not on ${address}`, {
    advice: `Everyone who can reach the port can read all conversations, because there is no login. From another machine, use a tunnel: ssh -L ${DEFAULT_PORT}:127.0.0.1:${DEFAULT_PORT} <this machine>`,
  });
}
