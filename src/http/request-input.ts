/** The input of a request: its decompressed body and its query. */
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import zlib from "node:zlib";
import { Refusal } from "./problem.ts";
import type { JsonSchema } from "./routes.ts";

/** `accepted`: the allowed compression of the body. */
export function requireEncoding({ headers }: IncomingMessage, accepted: "gzip" | "identity"): string {
  const encoding = (headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (["identity", accepted].includes(encoding)) return encoding;
  throw new Refusal("unsupported-media-type", `the content encoding ${encoding} is not supported here`, {
    "accept-encoding": accepted,
  });
}

function bodyOf(incoming: IncomingMessage): Readable {
  if (requireEncoding(incoming, "gzip") === "identity") return incoming;
  const gunzip = zlib.createGunzip();
  incoming.pipe(gunzip);
  // A disconnected client sends no more data.
  incoming.once("close", () => incoming.complete || gunzip.destroy());
  return gunzip;
}

/** At most this many bytes, counted after decompression. */
async function readBody(incoming: IncomingMessage, mostBytes: number): Promise<Buffer> {
  if (Number(incoming.headers["content-length"] ?? 0) > mostBytes) throw tooLarge(mostBytes);
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    // The connection is still needed for the response.
    for await (const piece of bodyOf(incoming).iterator({ destroyOnReturn: false })) {
      bytes += piece.byteLength;
      if (bytes > mostBytes) throw tooLarge(mostBytes);
      pieces.push(piece);
    }
  } catch (error) {
    throw isZlibError(error) ? new Refusal("invalid-input", "the body is not valid gzip") : error;
  }
  return Buffer.concat(pieces);
}

export function tooLarge(mostBytes: number): Refusal {
  return new Refusal("payload-too-large", `a body has at most ${mostBytes} bytes`);
}

function isZlibError(error: unknown): boolean {
  const { code }: { code?: unknown } = Object(error);
  return typeof code === "string" && code.startsWith("Z_");
}

/** The body of a request: one JSON object of a bounded size. */
export async function readJson(incoming: IncomingMessage, mostBytes: number): Promise<object> {
  // Browsers send this type to another origin only after a preflight request.
  if (!/^application\/json\s*(;|$)/i.test(incoming.headers["content-type"] ?? ""))
    throw new Refusal("unsupported-media-type", "the content type must be application/json");
  const given: unknown = parse(await readBody(incoming, mostBytes));
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new Refusal("invalid-input", "the body must be a JSON object");
  return given;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new Refusal("invalid-input", "the body is not valid JSON in UTF-8");
  }
}

/** The input of an operation from the query of a URL: texts become numbers and booleans if the schema requires it. */
export function queryInput(query: URLSearchParams, { properties = {} }: JsonSchema): object {
  const names = [...new Set(query.keys())];
  return Object.fromEntries(
    names.map((name) => [name, inputOf(name, query.getAll(name), properties[name] ?? {})]),
  );
}

function inputOf(name: string, texts: readonly string[], schema: JsonSchema): unknown {
  const types = typesOf(schema);
  if (types.has("array")) return texts.map((text) => scalarOf(text, typesOf(schema.items ?? {})));
  const [text = "", ...more] = texts;
  if (more.length > 0) throw new Refusal("invalid-input", `${name} is repeated`);
  return scalarOf(text, types);
}

function scalarOf(text: string, types: ReadonlySet<string>): unknown {
  if (types.has("boolean") && ["true", "false"].includes(text)) return text === "true";
  if ((types.has("integer") || types.has("number")) && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return text;
}

function typesOf({ type = [], anyOf = [] }: JsonSchema): ReadonlySet<string> {
  const own = typeof type === "string" ? [type] : type;
  return new Set([...own, ...anyOf.flatMap((one) => [...typesOf(one)])]);
}
