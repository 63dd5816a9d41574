/**
 * Live changes make cached answers stale. A browser keeps at most six connections to a server, so of all tabs with the
 * same token one follows the changes and tells the others; when it is closed, the next one takes over.
 */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { ApiError, type Client } from "../../src/http/client.ts";
import { useClient } from "./api.ts";

const PAUSE_MS = 2_000;

/** `onRefused`: the session has ended, or the token was revoked. */
export function useLiveChanges(token: string, onRefused: () => void): void {
  const client = useClient();
  const queries = useQueryClient();
  useEffect(() => {
    const stop = new AbortController();
    const name = `palimpsest changes ${token}`;
    const channel = new BroadcastChannel(name);
    channel.onmessage = ({ data }: MessageEvent<readonly string[]>) => makeStale(queries, data);
    const tell = (ids: readonly string[]) => {
      makeStale(queries, ids);
      channel.postMessage(ids);
    };
    const run = () => follow(client, stop.signal, tell, onRefused);
    onlyOneTab(name, stop.signal, run).catch(() => undefined);
    return () => {
      stop.abort();
      channel.close();
    };
  }, [client, queries, token, onRefused]);
}

/** Browsers have no locks on a page that came over plain HTTP from another machine. */
function onlyOneTab(name: string, signal: AbortSignal, run: () => Promise<void>): Promise<unknown> {
  return "locks" in navigator ? navigator.locks.request(name, { signal }, run) : run();
}

async function follow(
  client: Client,
  signal: AbortSignal,
  tell: (ids: readonly string[]) => void,
  onRefused: () => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const { conversations } of client.changes({ signal }))
        tell(conversations.map(({ id }) => id));
    } catch (error) {
      if (error instanceof ApiError && error.problem.status === 401) return onRefused();
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

function makeStale(queries: QueryClient, changed: readonly string[]): void {
  const ids = new Set(changed);
  void queries.invalidateQueries({ queryKey: ["conversations list"] });
  void queries.invalidateQueries({ predicate: ({ queryKey }) => isAbout(queryKey, ids) });
}

/** Old messages never change, so only the answers that depend on the newest are read again. */
const GROWING = new Set(["turns", "tree", "context", "read", "newest"]);

function isAbout([name, input]: readonly unknown[], ids: ReadonlySet<string>): boolean {
  const { conversation, id }: { conversation?: string; id?: string } = Object(input);
  return GROWING.has(String(name)) && (ids.has(conversation ?? "") || ids.has(id ?? ""));
}
