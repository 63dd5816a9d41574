/** The body of a request as it was before it was compressed. */
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import zlib from "node:zlib";
import { Refusal } from "./problem.ts";

/** `accepted`: what the body may be compressed with. */
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
  // Nothing more comes from a client that has gone.
  incoming.once("close", () => incoming.complete || gunzip.destroy());
  return gunzip;
}

/** At most so many bytes, counted once they are decompressed. */
export async function readBody(incoming: IncomingMessage, mostBytes: number): Promise<Buffer> {
  if (Number(incoming.headers["content-length"] ?? 0) > mostBytes) throw tooLarge(mostBytes);
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    // The connection is still needed for the answer.
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
