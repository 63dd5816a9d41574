/**
 * Reasoning that its provider takes back: Anthropic's with a signature, OpenAI's when encrypted. Everything else
 * that a model thought is on record but is not sent.
 */
import { type Block, isBlock, textOf } from "../../../message/block.ts";
import { hasWords, type ThinkingBlock } from "./piece.ts";

export function readSignedThinking(block: Block, message: Block): ThinkingBlock | null {
  if (block.type === "redacted_thinking") return readRedacted(block);
  if (block.type !== "thinking" && block.type !== "reasoning") return null;
  const thinking = textOf(block.thinking) ?? textOf(block.text);
  const signature = signatureOf(block, message);
  if (thinking === null || signature === null || !hasWords(signature)) return null;
  return { type: "thinking", thinking, signature };
}

function readRedacted({ data }: Block): ThinkingBlock | null {
  return typeof data === "string" && hasWords(data) ? { type: "redacted_thinking", data } : null;
}

/** Anthropic: in the block. pi: in the block, of whichever provider. AI SDK: under the provider's name. */
function signatureOf(block: Block, message: Block): string | null {
  if (typeof block.signature === "string") return block.signature;
  if (message.api === "anthropic-messages") return textOf(block.thinkingSignature);
  const options = block.providerOptions ?? block.providerMetadata;
  const anthropic = isBlock(options) ? options.anthropic : undefined;
  return isBlock(anthropic) ? textOf(anthropic.signature) : null;
}

/** Without its id and its encrypted content the provider could not tell what was thought. */
export function isSealedReasoning({ id, encrypted_content: content, summary }: Block): boolean {
  return isFilled(id) && isFilled(content) && Array.isArray(summary) && summary.every(isSummary);
}

function isFilled(value: unknown): boolean {
  return typeof value === "string" && hasWords(value);
}

function isSummary(value: unknown): boolean {
  return isBlock(value) && value.type === "summary_text" && typeof value.text === "string";
}
