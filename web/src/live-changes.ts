/**
 * Live changes invalidate cached responses. A browser keeps at most six connections to a server, so of all tabs with the
 * same token one follows the changes and informs the others; when it is closed, the next one takes over.
 */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { ApiError, type Change, type Client } from "../../src/http/client.ts";
import { useClient } from "./api.ts";

const PAUSE_MS = 2_000;
/** A tab that follows within this time has no stale data. */
const AT_ONCE_MS = 500;

/** Sent when changes may have been missed. */
const ANYTHING = null;

/** `onRefused`: the session has ended, or the token was revoked. */
export function useLiveChanges(token: string, onRefused: () => void): void {
  const client = useClient();
  const queries = useQueryClient();
  useEffect(() => {
    const stop = new AbortController();
    const name = `palimpsest changes ${token}`;
    const channel = new BroadcastChannel(name);
    channel.onmessage = ({ data }: MessageEvent<Change | null>) => makeStale(queries, data);
    const tell = (change: Change | null) => {
      makeStale(queries, change);
      channel.postMessage(change);
    };
    const start = performance.now();
    const run = () => {
      const wasWaiting = performance.now() - start > AT_ONCE_MS;
      return follow(client, stop.signal, { tell, onRefused, hasMissed: wasWaiting });
    };
    onlyOneTab(name, stop.signal, run).catch(() => undefined);
    return () => {
      stop.abort();
      channel.close();
    };
  }, [client, queries, token, onRefused]);
}

/** Browsers provide no locks for pages loaded over plain HTTP from another machine. */
function onlyOneTab(name: string, signal: AbortSignal, run: () => Promise<void>): Promise<unknown> {
  return "locks" in navigator ? navigator.locks.request(name, { signal }, run) : run();
}

interface Following {
  readonly tell: (change: Change | null) => void;
  readonly onRefused: () => void;
  /** No tab followed for a while, so the displayed data may be stale. */
  readonly hasMissed: boolean;
}

async function follow(
  client: Client,
  signal: AbortSignal,
  { tell, onRefused, hasMissed }: Following,
): Promise<void> {
  for (let mayBeOld = hasMissed; !signal.aborted; mayBeOld = true) {
    const onReady = () => {
      if (mayBeOld) tell(ANYTHING);
    };
    try {
      for await (const change of client.changes({ signal, onReady })) tell(change);
    } catch (error) {
      if (error instanceof ApiError && error.problem.status === 401) return onRefused();
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

function makeStale(queries: QueryClient, change: Change | null): void {
  // Erased text may be quoted anywhere.
  if (change === ANYTHING || change.deleted.length + change.erased.length > 0) {
    void queries.invalidateQueries();
    return;
  }
  const { conversations, memories, files } = change;
  const ids = new Set(conversations.map(({ id }) => id));
  const isStale = (key: readonly unknown[]) =>
    (ids.size > 0 && isAbout(key, ids)) ||
    (memories.length > 0 && String(key[0]).startsWith("memory ")) ||
    (files.length > 0 && String(key[0]).startsWith("files "));
  void queries.invalidateQueries({ predicate: ({ queryKey }) => isStale(queryKey) });
}

/** Old messages never change, so only responses that depend on the newest ones are reloaded. */
const GROWING = new Set(["turns", "tree", "context", "read", "newest"]);

function isAbout([name, input]: readonly unknown[], ids: ReadonlySet<string>): boolean {
  if (name === "conversations list") return true;
  const { conversation, id }: { conversation?: string; id?: string } = Object(input);
  return GROWING.has(String(name)) && (ids.has(conversation ?? "") || ids.has(id ?? ""));
}
