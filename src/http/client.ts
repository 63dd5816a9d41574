/**
 * A typed client of the HTTP API, for programs and pages: only `fetch` and the types of the operations.
 *
 *   const client = createClient({ url: "http://127.0.0.1:8417", token });
 *   const { hits } = await client.call("grep", { pattern: "port 8417" });
 */
import type { z } from "zod";
import type { Operations } from "../operations/registry.ts";
import type { Change } from "../operations/store/store-changes.ts";
import type { ACCESS } from "./access.ts";
import type { commitTurn } from "./commit-turn.ts";
import type { Problem } from "./problem.ts";

export type { Change };

type Served = { readonly [Words in keyof typeof ACCESS]: Operations[Words] } & {
  readonly "turns commit": typeof commitTurn;
};
export type Words = keyof Served;
export type InputOf<Name extends Words> = z.input<Served[Name]["input"]>;
export type OutputOf<Name extends Words> = z.output<Served[Name]["output"]>;

export interface ClientOptions {
  /** `http://127.0.0.1:8417` */
  readonly url: string;
  readonly token: string;
  readonly fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface FollowOptions extends CallOptions {
  /** Called when the server reports all later changes. Data read before may be outdated. */
  readonly onReady?: () => void;
}

/** The error of a rejected call, with the problem document of the server. */
export class ApiError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.name = "ApiError";
    this.problem = problem;
  }
}

export interface Client {
  call<Name extends Words>(name: Name, input: InputOf<Name>, options?: CallOptions): Promise<OutputOf<Name>>;
  /** Like `call`, by GET: a context read this way is not recorded as shown to a model. */
  look<Name extends Words>(name: Name, input: InputOf<Name>, options?: CallOptions): Promise<OutputOf<Name>>;
  /** Every page of a list, as it arrives. */
  pages<Name extends Words>(
    name: Name,
    input: InputOf<Name>,
    options?: CallOptions,
  ): AsyncGenerator<OutputOf<Name>>;
  /** The bytes of a file, a transcript or an export. */
  stream<Name extends Words>(name: Name, input: InputOf<Name>, options?: CallOptions): Promise<Response>;
  /** Changes by any process, until the signal: conversations, memories and files, deletions included. */
  changes(options?: FollowOptions): AsyncGenerator<Change>;
}

export function createClient({ url, token, fetch = globalThis.fetch }: ClientOptions): Client {
  const request = async (address: string, init: RequestInit, accept: string): Promise<Response> => {
    const headers = { ...Object(init.headers), authorization: `Bearer ${token}`, accept };
    const response = await fetch(new URL(address, url), { ...init, headers });
    if (!response.ok) throw await errorOf(response);
    return response;
  };
  const post = (name: string, input: object, { signal }: CallOptions, accept: string) => {
    const init = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(input),
      ...(signal === undefined ? {} : { signal }),
    };
    return request(pathOf(name), init, accept);
  };
  return {
    call: async (name, input, options = {}) =>
      JSON.parse(await (await post(name, Object(input), options, "application/json")).text()),
    look: async (name, input, { signal } = {}) => {
      const init = signal === undefined ? {} : { signal };
      const address = `${pathOf(name)}?${queryOf(Object(input))}`;
      return JSON.parse(await (await request(address, init, "application/json")).text());
    },
    async *pages(name, input, options = {}) {
      const { body } = await post(name, Object(input), options, "application/x-ndjson");
      for await (const line of linesOf(body)) {
        const page = JSON.parse(line);
        if (page.problem !== undefined) throw new ApiError(page.problem);
        yield page;
      }
    },
    stream: (name, input, options = {}) =>
      post(name, Object(input), options, "application/octet-stream, application/x-ndjson"),
    async *changes({ signal, onReady } = {}) {
      const init = signal === undefined ? {} : { signal };
      const { body } = await request("/api/events", init, "text/event-stream");
      let event = "";
      for await (const line of linesOf(body)) {
        if (line.startsWith("event: ")) event = line.slice("event: ".length);
        else if (line.startsWith("data: ") && event === "ready") onReady?.();
        else if (line.startsWith("data: ") && event === "change")
          yield JSON.parse(line.slice("data: ".length));
      }
    },
  };
}

function pathOf(name: string): string {
  return `/api/v1/${name.replaceAll(" ", "/")}`;
}

function queryOf(input: Readonly<Record<string, unknown>>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) query.append(name, String(one));
  return query;
}

async function errorOf(response: Response): Promise<ApiError> {
  const fallback: Problem = {
    type: "about:blank",
    title: response.statusText,
    status: response.status,
    detail: `the server answered ${response.status}`,
    code: "internal",
    retryable: false,
  };
  const text = await response.text();
  const isProblem = response.headers.get("content-type") === "application/problem+json";
  return new ApiError(isProblem ? JSON.parse(text) : fallback);
}

async function* linesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const lines = (rest + decoder.decode(piece.value, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
    if (rest !== "") yield rest;
  } finally {
    await reader.cancel();
  }
}
