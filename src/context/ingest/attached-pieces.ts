/** The content of a file that a caller attaches, in pieces. Errors of the source are reported as the caller's. */
import { isPalimpsestError, PalimpsestError } from "../../errors.ts";
import { fileErrorCode, fileProblem } from "../../text/file-problem.ts";
import type { AttachFileInput } from "./attach-file.ts";

const HOW =
  "For example: open: () => createReadStream(path), or open: () => [new TextEncoder().encode(text)].";

export async function* attachedPieces({
  open,
  signal,
}: Pick<AttachFileInput, "open" | "signal">): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of requirePieces(open())) {
      if (signal?.aborted === true) throw cancelled();
      yield requirePiece(piece);
    }
  } catch (error) {
    if (isPalimpsestError(error)) throw error;
    if (signal?.aborted === true) throw cancelled();
    const code = fileErrorCode(error) === "ENOENT" ? "not-found" : "invalid-input";
    throw new PalimpsestError(code, `files.attach: open failed: ${fileProblem(error)}`, {
      advice: "Nothing was attached.",
      cause: error,
    });
  }
}

function requirePieces(pieces: unknown): AsyncIterable<unknown> {
  if (typeof pieces === "object" && pieces !== null && !ArrayBuffer.isView(pieces)) {
    if (Symbol.asyncIterator in pieces || Symbol.iterator in pieces) return pieces as AsyncIterable<unknown>;
  }
  throw wrongContent(`open must return an async iterable of Uint8Array pieces, not ${kindOf(pieces)}`);
}

function requirePiece(piece: unknown): Uint8Array {
  if (piece instanceof Uint8Array) return piece;
  throw wrongContent(`open must give pieces that are Uint8Array, not ${kindOf(piece)}`);
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === "string") return "text";
  if (typeof value !== "object") return `a ${typeof value}`;
  return value instanceof Promise ? "a promise" : "an object";
}

function wrongContent(problem: string): PalimpsestError {
  return new PalimpsestError("invalid-input", `files.attach: ${problem}`, { advice: HOW });
}

function cancelled(): PalimpsestError {
  return new PalimpsestError("cancelled", "attaching the file was cancelled");
}
