/** Messages of Anthropic's Messages API, as far as the engine writes them. */
import type { ImageType } from "./anthropic-blocks.ts";
import type { CallInput } from "./call-input.ts";
import type { ThinkingBlock } from "./piece.ts";

export type AnthropicMessage =
  | { readonly role: "user"; readonly content: UserBlock[] }
  | { readonly role: "assistant"; readonly content: AssistantBlock[] };

export interface TextBlock {
  readonly type: "text";
  readonly text: string;
}

interface ImageBlock {
  readonly type: "image";
  readonly source:
    | { readonly type: "base64"; readonly media_type: ImageType; readonly data: string }
    | { readonly type: "url"; readonly url: string };
}

interface DocumentBlock {
  readonly type: "document";
  readonly title?: string;
  readonly source:
    | { readonly type: "base64"; readonly media_type: "application/pdf"; readonly data: string }
    | { readonly type: "text"; readonly media_type: "text/plain"; readonly data: string }
    | { readonly type: "url"; readonly url: string };
}

interface SearchResultBlock {
  readonly type: "search_result";
  readonly source: string;
  readonly title: string;
  readonly content: TextBlock[];
}

export type ContentBlock = TextBlock | ImageBlock | DocumentBlock | SearchResultBlock;

interface ToolUseBlock {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: CallInput;
}

export interface ToolResultBlock {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content: string | ContentBlock[];
  readonly is_error?: true;
}

/** A server tool's call or result, exactly as Anthropic sent it: its content is opaque. */
export interface ServerBlock {
  readonly type: "server_tool_use" | `${string}_tool_result`;
}

export type UserBlock = ContentBlock | ToolResultBlock;
export type AssistantBlock = TextBlock | ThinkingBlock | ToolUseBlock | ServerBlock;
