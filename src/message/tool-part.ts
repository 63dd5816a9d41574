/**
 * Builds tool parts in the same way for every family. A call without a result is `pending` and has no output;
 * a result is `completed` or `error` and always has output, empty if the tool returned nothing. A part with both
 * input and output needs no partner.
 */
import type { Part } from "../types.ts";
import { dataText, type ToolOutput } from "./read-tool-output.ts";

export function callPart(callId: string | null, name: string | null, input: unknown): Part {
  return { type: "tool", callId, name, status: "pending", input: dataText(input), output: null };
}

export function resultParts(
  callId: string | null,
  name: string | null,
  output: ToolOutput,
  failed: boolean,
): readonly Part[] {
  const status = failed ? "error" : "completed";
  return [{ type: "tool", callId, name, status, input: null, output: output.text }, ...output.files];
}

/** A call and its result in one part. */
export function donePart(
  callId: string | null,
  name: string | null,
  input: unknown,
  output: string,
  failed: boolean,
): Part {
  const status = failed ? "error" : "completed";
  return { type: "tool", callId, name, status, input: dataText(input), output };
}

export function saysFailed(block: Readonly<Record<string, unknown>>): boolean {
  return block.is_error === true || block.isError === true;
}
