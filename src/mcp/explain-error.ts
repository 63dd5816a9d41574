/** Each error code, translated once: to a text from which a model learns what to do, or to an error of the protocol. */
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from "@modelcontextprotocol/server";
import { z } from "zod";
import { isPalimpsestError, messageOf, PalimpsestError } from "../errors.ts";
import { adviceForModels, type ToolOperation } from "../operations/run-tool.ts";
import { escapeControls } from "../text/escape-controls.ts";

/** For the result of a tool. */
export function explainError(error: unknown, { tool, input }: ToolOperation): string {
  const known = asKnown(error);
  const lines = [
    `${tool.name} failed (${known.code}): ${known.message}`,
    ...(known.advice === undefined ? [] : [adviceForModels(known.advice)]),
    ...(known.code === "invalid-input" && known.advice === undefined
      ? [`${tool.name} takes ${namesIn(input)}.`]
      : []),
    ...(known.retryable ? ["The same call may succeed later."] : []),
  ];
  return escapeControls(lines.join("\n"));
}

/** For resources and prompts, which answer with an error of the protocol. */
export function toProtocolError(error: unknown, uri: string): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const known = asKnown(error);
  const text = escapeControls([known.message, known.advice ?? ""].join("\n").trim());
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

function namesIn(schema: z.ZodType): string {
  const { properties = {}, required = [] } = z.toJSONSchema(schema);
  return Object.keys(properties)
    .map((name) => (required.includes(name) ? `${name} (needed)` : name))
    .join(", ");
}
