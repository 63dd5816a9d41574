/**
 * Identifies a message to which the host gives no id: by its role and content, without the fields that hosts change from
 * call to call. A text and a single text block are equal, the order of fields is ignored, and call ids are
 * compared by their letters and digits only, because some hosts rewrite them. Reasoning is hashed separately, because
 * many hosts do not send it back.
 */
import { sha256 } from "../text/bytes.ts";
import { isBlock } from "./block.ts";

/** Number of hex digits kept. */
const HASH = 32;
const REASONING_HASH = 12;

/** Fields with time, author, price or caching of a message, never its content. */
const VOLATILE = new Set([
  ...[
    "cache_control",
    "cacheControl",
    "providerOptions",
    "providerMetadata",
    "timestamp",
    "createdAt",
    "usage",
  ],
  ...["api", "provider", "model", "responseId", "stopReason", "stop_reason", "stop_sequence", "status"],
]);
const CALL_IDS = new Set(["tool_use_id", "tool_call_id", "toolCallId", "call_id", "callId"]);
const CALL_TYPES = new Set(["tool_use", "toolCall", "tool-call", "function"]);
const REASONING_TYPES = new Set(["reasoning", "thinking", "redacted_thinking"]);

interface NormalHashes {
  readonly said: string;
  /** Null if the message has no reasoning, or consists of it alone. */
  readonly reasoning: string | null;
}

export function normalHashes(message: object): NormalHashes {
  const form = normalForm(message);
  const blocks: readonly unknown[] = isBlock(form) && Array.isArray(form.content) ? form.content : [];
  const { true: thought = [], false: said = [] } = Object.groupBy(blocks, (block) => `${isReasoning(block)}`);
  if (thought.length === 0 || said.length === 0) return { said: hashOf(form, HASH), reasoning: null };
  return {
    said: hashOf({ ...Object(form), content: said }, HASH),
    reasoning: hashOf(thought, REASONING_HASH),
  };
}

function isReasoning(block: unknown): boolean {
  return isBlock(block) && typeof block.type === "string" && REASONING_TYPES.has(block.type);
}

function hashOf(form: unknown, digits: number): string {
  return sha256(JSON.stringify(form)).slice(0, digits);
}

function normalForm(message: object): unknown {
  if (!isBlock(message)) return normal(message);
  // The id of the whole message belongs to the host; inner ids link results to calls.
  const { id: _, ...said } = message;
  const { content } = said;
  return normal(typeof content === "string" ? { ...said, content: [{ type: "text", text: content }] } : said);
}

function normal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normal);
  if (ArrayBuffer.isView(value))
    return { bytes: sha256(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) };
  if (!isBlock(value)) return value;
  const isCall = typeof value.type === "string" && CALL_TYPES.has(value.type);
  const fields = Object.entries(value)
    .filter(([name, field]) => !VOLATILE.has(name) && field !== undefined)
    .map(([name, field]): [string, unknown] => {
      const isCallId = CALL_IDS.has(name) || (isCall && name === "id");
      return [name, isCallId && typeof field === "string" ? foldedId(field) : normal(field)];
    });
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

function foldedId(id: string): string {
  return id.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
