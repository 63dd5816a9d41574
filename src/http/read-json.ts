/** The body of a request: one JSON object of a bounded size. */
import type { IncomingMessage } from "node:http";
import { readBody } from "./body.ts";
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

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new Refusal("invalid-input", "the body is not valid JSON in UTF-8");
  }
}
