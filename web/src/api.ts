/** The API as hooks. Answers are cached by operation and input; live changes make them stale. */
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, useContext, useEffect } from "react";
import { ApiError, type Client, type InputOf, type OutputOf, type Words } from "../../src/http/client.ts";

export const ClientContext = createContext<Client | null>(null);

export function useClient(): Client {
  const client = useContext(ClientContext);
  if (client === null) throw new Error("nobody is signed in");
  return client;
}

interface Options {
  readonly enabled?: boolean;
  /** Shows the answer before while the next one comes. */
  readonly keeps?: boolean;
  readonly everyMs?: number;
}

/** A reading operation. `undefined` input: not yet. */
export function useOperation<Name extends Words>(
  name: Name,
  input: InputOf<Name>,
  { enabled = true, keeps = false, everyMs }: Options = {},
) {
  const client = useClient();
  return useQuery<OutputOf<Name>>({
    queryKey: [name, input],
    queryFn: ({ signal }) => client.look(name, input, { signal }),
    enabled,
    ...(keeps ? { placeholderData: keepPreviousData } : {}),
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  });
}

/** While the page is open, what changes in the store is read again. */
export function useLiveChanges(): void {
  const client = useClient();
  const queries = useQueryClient();
  useEffect(() => {
    const stop = new AbortController();
    const follow = async () => {
      for await (const { conversations } of client.changes({ signal: stop.signal })) {
        const ids = new Set(conversations.map(({ id }) => id));
        void queries.invalidateQueries({ queryKey: ["conversations list"] });
        void queries.invalidateQueries({ predicate: ({ queryKey }) => isAbout(queryKey, ids) });
      }
    };
    const run = async () => {
      while (!stop.signal.aborted) {
        await follow().catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, 2_000));
      }
    };
    void run();
    return () => stop.abort();
  }, [client, queries]);
}

/** Old messages never change, so only the answers that depend on the newest are read again. */
const GROWING = new Set(["turns", "tree", "context", "read", "newest"]);

function isAbout([name, input]: readonly unknown[], ids: ReadonlySet<string>): boolean {
  const { conversation, id }: { conversation?: string; id?: string } = Object(input);
  return GROWING.has(String(name)) && (ids.has(conversation ?? "") || ids.has(id ?? ""));
}

export function problemText(error: unknown): string {
  if (error instanceof ApiError)
    return [error.problem.detail, error.problem.advice].filter((text) => text !== undefined).join(". ");
  return error instanceof Error ? error.message : String(error);
}
