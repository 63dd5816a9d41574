/** Translates error codes: to a text with advice for models, or to an error of the protocol. */
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from "@modelcontextprotocol/server";
import { isPalimpsestError, messageOf, PalimpsestError } from "../errors.ts";
import { adviceForModels } from "../operations/advice-for-models.ts";
import { adviceOn, type ToolOperation } from "../operations/run-tool.ts";
import { escapeControls } from "../text/escape-controls.ts";

/** For the result of a tool. */
export async function explainError(error: unknown, operation: ToolOperation): Promise<string> {
  const known = asKnown(error);
  const advice = await adviceOn(known, operation);
  // The tool is named already.
  const message = known.message.replace(`${operation.name}: `, "");
  const lines = [
    `${operation.tool.name} failed (${known.code}): ${message}`,
    ...(advice === undefined ? [] : [advice]),
    ...(known.retryable ? ["The same call may succeed later."] : []),
  ];
  return escapeControls(lines.join("\n"));
}

/** For resources and prompts, which answer with an error of the protocol. */
export function toProtocolError(error: unknown, uri: string): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const known = asKnown(error);
  const text = escapeControls([known.message, adviceForModels(known.advice ?? "")].join("\n").trim());
  if (known.code === "not-found") return new ResourceNotFoundError(uri, text);
  const isCallers = known.code === "invalid-input" || known.code === "not-supported";
  const code = isCallers ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  return new ProtocolError(code, text, { code: known.code });
}

function asKnown(error: unknown): PalimpsestError {
  if (isPalimpsestError(error)) return error;
  return new PalimpsestError("internal", messageOf(error), {
    advice: "This is a bug in palimpsest; other arguments may still work.",
    cause: error,
  });
}
