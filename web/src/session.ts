/**
 * The session of the signed-in user. It is kept in the storage of this origin, never in a cookie, and ends with the server. The
 * one-time code of a link is in its fragment, which browsers do not send.
 */
import { type Client, createClient } from "../../src/http/client.ts";

const KEY = "palimpsest-session";

export function storedToken(): string | null {
  return localStorage.getItem(KEY);
}

export function forgetToken(): void {
  localStorage.removeItem(KEY);
}

export function keepToken(token: string): void {
  localStorage.setItem(KEY, token);
}

/** Exchanges the code of the link, if there is one, and removes it from the address. */
export async function tokenOfLink(): Promise<string | null> {
  const [, code] = /^#code=([\w-]+)$/.exec(location.hash) ?? [];
  if (code === undefined) return null;
  history.replaceState(null, "", location.pathname + location.search);
  const response = await fetch("/api/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });
  const { token, detail }: { token?: string; detail?: string } = await response.json();
  if (token === undefined) throw new Error(detail ?? "the link is invalid");
  keepToken(token);
  return token;
}

export function clientOf(token: string): Client {
  return createClient({ url: location.origin, token, fetch: (...given) => fetch(...given) });
}
