/**
 * Blocks that Anthropic accepts unchanged. Fields unknown to the API and `cache_control`, of which
 * a request may contain only four, are removed; a block without such fields is passed on by reference.
 */
import { type Block, isBlock } from "../../../message/block.ts";
import type { ContentBlock, ServerBlock } from "./anthropic-types.ts";
import { hasWords } from "./piece.ts";

/** A block in its original form, already checked to match its type. */
export type NativeBlock = Block & ContentBlock;
export type NativeServerBlock = Block & ServerBlock;

export const IMAGE_TYPES = ["image/jpeg", "image/png", "image/gif", "image/webp"] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

const SERVER_TOOLS = [
  "web_search",
  "web_fetch",
  "code_execution",
  "bash_code_execution",
  "text_editor_code_execution",
  "tool_search_tool_regex",
  "tool_search_tool_bm25",
] as const;
const SERVER_RESULTS = [
  "web_search_tool_result",
  "web_fetch_tool_result",
  "code_execution_tool_result",
  "bash_code_execution_tool_result",
  "text_editor_code_execution_tool_result",
  "tool_search_tool_result",
] as const;
const SERVER_ID = /^srvtoolu_[a-zA-Z0-9_]+$/;

const FIELDS: ReadonlyMap<unknown, readonly string[]> = new Map<unknown, readonly string[]>([
  ["text", ["type", "text", "citations"]],
  ["image", ["type", "source"]],
  ["document", ["type", "source", "title", "context", "citations"]],
  ["search_result", ["type", "source", "title", "content", "citations"]],
  ["server_tool_use", ["type", "id", "name", "input"]],
  ...SERVER_RESULTS.map((type) => [type, ["type", "tool_use_id", "content"]] as const),
]);

export function isServerTool(block: Block): block is NativeServerBlock {
  const { type, id, name } = block;
  if (type !== "server_tool_use" || !isOneOf(SERVER_TOOLS, name)) return false;
  return typeof id === "string" && SERVER_ID.test(id);
}

export function isServerResult(block: Block): block is NativeServerBlock {
  const { type, tool_use_id: id, content } = block;
  if (!isOneOf(SERVER_RESULTS, type) || typeof id !== "string" || !SERVER_ID.test(id)) return false;
  return type === "web_search_tool_result" && Array.isArray(content)
    ? content.every(isFound)
    : isBlock(content);
}

function isFound(result: unknown): boolean {
  if (!isBlock(result) || result.type !== "web_search_result") return false;
  return [result.url, result.title, result.encrypted_content].every((field) => typeof field === "string");
}

/** Content that other formats cannot represent completely. */
export function isNativeContent(block: Block): block is NativeBlock {
  switch (block.type) {
    case "text":
      return isCited(block);
    case "image":
      return isBlock(block.source) && isImageSource(block.source);
    case "document":
      return isDocument(block);
    case "search_result":
      return isSearchResult(block);
    default:
      return false;
  }
}

function isCited({ text, citations }: Block): boolean {
  if (typeof text !== "string" || !hasWords(text) || !Array.isArray(citations)) return false;
  return citations.every((citation) => isBlock(citation) && /_location$/.test(String(citation.type)));
}

function isImageSource(source: Block): boolean {
  if (source.type === "base64") return isOneOf(IMAGE_TYPES, source.media_type) && isFilled(source.data);
  return source.type === "url" && isLink(source.url);
}

function isDocument({ source, title, context }: Block): boolean {
  if (!isBlock(source) || ![title, context].every(isTextOrAbsent)) return false;
  if (source.type === "base64") return source.media_type === "application/pdf" && isFilled(source.data);
  if (source.type === "text") return source.media_type === "text/plain" && isFilled(source.data);
  return source.type === "url" && isLink(source.url);
}

function isSearchResult({ source, title, content }: Block): boolean {
  if (!isFilled(source) || !isFilled(title) || !Array.isArray(content) || content.length === 0) return false;
  return content.every((block) => isBlock(block) && block.type === "text" && isFilled(block.text));
}

function isOneOf(known: readonly string[], value: unknown): boolean {
  return typeof value === "string" && known.includes(value);
}

function isFilled(value: unknown): boolean {
  return typeof value === "string" && hasWords(value);
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || value === null || isFilled(value);
}

function isLink(value: unknown): boolean {
  return typeof value === "string" && /^https?:\/\//i.test(value);
}

/** Keeps all fields that a block's type requires, so the block still has that type. */
export function onlyKnownFields<Known extends Block>(block: Known): Known {
  const known = FIELDS.get(block.type) ?? [];
  if (Object.keys(block).every((key) => known.includes(key))) return block;
  const fields = known.filter((key) => block[key] !== undefined).map((key) => [key, block[key]] as const);
  return Object.fromEntries(fields) as Known;
}
