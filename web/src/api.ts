/** The API as hooks. Responses are cached by operation and input. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { ApiError, type Client, type InputOf, type OutputOf, type Words } from "../../src/http/client.ts";

export const ClientContext = createContext<Client | null>(null);

export function useClient(): Client {
  const client = useContext(ClientContext);
  if (client === null) throw new Error("not signed in");
  return client;
}

interface Options {
  readonly enabled?: boolean;
  /** Shows the previous response while the next one loads. */
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

export function problemText(error: unknown): string {
  if (error instanceof ApiError)
    return [error.problem.detail, error.problem.advice].filter((text) => text !== undefined).join(". ");
  return error instanceof Error ? error.message : String(error);
}
