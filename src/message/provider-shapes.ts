/** What a provider wants back in the shape that it has. */
import { isBlock } from "./block.ts";
import { hasParts } from "./read-role.ts";

/**
 * Whether a message of an assistant holds results that the caller's tools gave, as interfaces keep them: call and result
 * in one part. What a provider's own tool has answered must come back as it was.
 */
export function isAnsweredByCaller(message: unknown): boolean {
  if (!isBlock(message) || !hasParts(message)) return false;
  return !message.parts.some((part) => isBlock(part) && part.providerExecuted === true);
}

const MAY_BE_TEXT = new Set(["function_call_output", "custom_tool_call_output"]);

/** Whether it is an item of the Responses API whose output is never a text, such as that of a shell. */
export function hasShapedOutput(message: unknown): boolean {
  if (!isBlock(message) || message.role !== undefined || typeof message.type !== "string") return false;
  return message.type.endsWith("_output") && !MAY_BE_TEXT.has(message.type);
}
