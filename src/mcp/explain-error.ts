/** Each error code, translated once: to a text from which a model learns what to do, or to an error of the protocol. */
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from "@modelcontextprotocol/server";
import { z } from "zod";
import { isPalimpsestError, messageOf, PalimpsestError } from "../errors.ts";
import { OPERATIONS } from "../operations/index.ts";
import { escapeControls } from "../text/escape-controls.ts";
import type { ToolOperation } from "./add-tools.ts";

/** For the result of a tool. */
export function explainError(error: unknown, { tool, input }: ToolOperation): string {
  const known = asKnown(error);
  const lines = [
    `${tool.name} failed (${known.code}): ${known.message}`,
    ...(known.advice === undefined ? [] : [inTools(known.advice)]),
    ...(known.code === "invalid-input" && known.advice === undefined
      ? [`${tool.name} takes ${namesIn(input)}.`]
      : []),
    ...(known.retryable ? ["The same call may succeed later."] : []),
  ];
  return escapeControls(lines.join("\n"));
}

const TOOL_NAMES: ReadonlySet<string | undefined> = new Set(OPERATIONS.map(({ tool }) => tool?.name));

/** Advice names commands; a model has the tools of the same name. */
function inTools(advice: string): string {
  return advice.replaceAll(/\blcm ([a-z]+)\b/g, (command, name: string) =>
    TOOL_NAMES.has(`lcm_${name}`) ? `lcm_${name}` : command,
  );
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
