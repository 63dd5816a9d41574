/** The body of a request: one JSON object of a bounded size. */
import type { IncomingMessage } from "node:http";
import { Refusal } from "./problem.ts";

export async function readJson(incoming: IncomingMessage, mostBytes: number): Promise<object> {
  // Browsers send no such type to another origin without asking first.
  if (!/^application\/json\s*(;|$)/i.test(incoming.headers["content-type"] ?? ""))
    throw new Refusal("unsupported-media-type", "the content type must be application/json");
  const given: unknown = parse(await readBody(incoming, mostBytes));
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new Refusal("invalid-input", "the body must be a JSON object");
  return given;
}

async function readBody(incoming: IncomingMessage, mostBytes: number): Promise<Buffer> {
  if (Number(incoming.headers["content-length"] ?? 0) > mostBytes) throw tooLarge(mostBytes);
  const pieces: Buffer[] = [];
  let bytes = 0;
  // The connection is still needed for the answer.
  for await (const piece of incoming.iterator({ destroyOnReturn: false })) {
    bytes += piece.byteLength;
    if (bytes > mostBytes) throw tooLarge(mostBytes);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

export function tooLarge(mostBytes: number): Refusal {
  return new Refusal("payload-too-large", `the body can have at most ${mostBytes} bytes`);
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new Refusal("invalid-input", "the body is not valid JSON in UTF-8");
  }
}
