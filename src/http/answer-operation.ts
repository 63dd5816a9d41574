/**
 * One call of an operation over HTTP: the input is validated by the operation, the output is one JSON document, or a line
 * for each page, or the bytes of a file. A call is cancelled when the client disconnects or the time limit is reached.
 */
import { createHash } from "node:crypto";
import type { Engine } from "../engine.ts";
import { parseInputOn, runOperation } from "../operations/run-operation.ts";
import type { Setup } from "../operations/setup.ts";
import type { Answer } from "./node-http.ts";
import { problemOf, Refusal } from "./problem.ts";
import type { Route } from "./routes.ts";

const NDJSON = "application/x-ndjson";
const JSON_TYPE = "application/json";

interface OperationCall {
  readonly route: Route;
  readonly input: object;
  readonly on: Engine | Setup;
  readonly accept: string;
  /** The ETag that the caller has; undefined when it has none, or the call is not a GET. */
  readonly known: string | undefined;
  readonly isGet: boolean;
  readonly signal: AbortSignal;
  readonly limitMs: number;
  /** Receives the output, for metrics. */
  readonly onOutput: (output: unknown) => void;
}

export async function answerOperation(call: OperationCall): Promise<Answer> {
  const { route, accept } = call;
  const withheld = route.withheld.find((name) => name in call.input);
  if (withheld !== undefined) throw new Refusal("invalid-input", `${route.words}: unknown field ${withheld}`);
  if (route.stream !== null && (route.stream.isOnly || accept.includes(route.stream.type)))
    return streamAnswer(call, route.stream);
  if (accept.includes(NDJSON)) {
    if (route.pageField === null)
      throw new Refusal("not-acceptable", `${route.words} returns one JSON document`);
    return { status: 200, headers: { "content-type": NDJSON }, body: allPages(call, route.pageField) };
  }
  const output = await run(call, call.input);
  call.onOutput(output);
  return jsonAnswer(call, JSON.stringify(output));
}

async function streamAnswer(
  { route, input, on, signal }: OperationCall,
  { type, open }: NonNullable<Route["stream"]>,
): Promise<Answer> {
  const parsed = Object(await parseInputOn(route.operation, on, input));
  // Streams read from an engine; no operation on a setup has one.
  const body = await begun(open(on as Engine, parsed), signal);
  return { status: 200, headers: { "content-type": type, "content-disposition": "attachment" }, body };
}

/** Waits for the first piece, so that a wrong id still gets its status code. */
async function begun(
  pieces: AsyncIterable<string | Uint8Array>,
  signal: AbortSignal,
): Promise<AsyncIterable<string | Uint8Array>> {
  const iterator = pieces[Symbol.asyncIterator]();
  let piece = await iterator.next();
  return (async function* () {
    try {
      for (; piece.done !== true && !signal.aborted; piece = await iterator.next()) yield piece.value;
    } finally {
      await iterator.return?.();
    }
  })();
}

function jsonAnswer({ isGet, known }: OperationCall, body: string): Answer {
  if (!isGet) return { status: 200, headers: { "content-type": JSON_TYPE }, body };
  const etag = `"${createHash("sha1").update(body).digest("base64url")}"`;
  const headers = { "content-type": JSON_TYPE, etag, "cache-control": "private, no-cache" };
  const isKnown = known?.split(",").some((one) => one.trim().replace(/^W\//, "") === etag) === true;
  return isKnown ? { status: 304, headers } : { status: 200, headers, body };
}

/** Every page as one line. An error after the first page is in the last line. */
async function* allPages(call: OperationCall, field: "cursor" | "from"): AsyncGenerator<string> {
  try {
    for (let input: object | null = call.input; input !== null; ) {
      const output: Paged = Object(await run(call, input));
      yield `${JSON.stringify(output)}\n`;
      input = nextInput(input, field, output);
    }
  } catch (error) {
    yield `${JSON.stringify({ problem: problemOf(error) })}\n`;
  }
}

interface Paged {
  readonly next?: string | number | null;
  readonly nextOffset?: number | null;
}

function nextInput(input: object, field: string, { next = null, nextOffset = null }: Paged): object | null {
  if (next === null) return null;
  const { offset: _, ...rest }: { offset?: unknown } = input;
  return { ...rest, [field]: next, ...(nextOffset === null ? {} : { offset: nextOffset }) };
}

async function run({ route, on, signal, limitMs }: OperationCall, input: object): Promise<unknown> {
  const stopped = new AbortController();
  const stop = AbortSignal.any([signal, stopped.signal]);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      stopped.abort();
      reject(new Refusal("timeout", `it took longer than ${limitMs / 1_000} s`));
    }, limitMs);
  });
  try {
    return await Promise.race([runOperation(route.operation, on, input, { signal: stop }), late]);
  } finally {
    clearTimeout(timer);
  }
}
