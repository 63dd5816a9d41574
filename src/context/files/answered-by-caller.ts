/**
 * Whether a message of an assistant holds results that the caller's tools gave, as interfaces keep them: call and result in
 * one part. What a provider's own tool has answered must come back to the provider as it was.
 */
import { isBlock } from "../ingest/block.ts";
import { hasParts } from "../ingest/read-role.ts";

export function isAnsweredByCaller(message: unknown): boolean {
  if (!isBlock(message) || !hasParts(message)) return false;
  return !message.parts.some((part) => isBlock(part) && part.providerExecuted === true);
}
