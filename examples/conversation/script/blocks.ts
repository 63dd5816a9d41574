/** The lines of the neutral JSONL, with content blocks in the shape of the Anthropic Messages API. */
export type Role = "system" | "user" | "assistant" | "tool";

export interface TextBlock {
  readonly type: "text";
  readonly text: string;
}

export interface ImageBlock {
  readonly type: "image";
  readonly source: { readonly type: "base64"; readonly media_type: "image/png"; readonly data: string };
}

export interface ThinkingBlock {
  readonly type: "thinking";
  readonly thinking: string;
}

export interface ToolUseBlock {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, string | number | boolean>>;
}

export interface ToolResultBlock {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content: string;
  readonly is_error?: true;
}

export type Block = TextBlock | ImageBlock | ThinkingBlock | ToolUseBlock | ToolResultBlock;

export interface ConversationMessage {
  readonly id: string;
  readonly role: Role;
  readonly createdAt: string;
  readonly content: string | readonly Block[];
}

/** A message that has not got its id and time yet. */
export interface Draft {
  readonly role: Role;
  readonly content: string | readonly Block[];
  /** Exact time, where the story needs one. */
  readonly at?: string;
  /** Minutes of silence before this message. */
  readonly wait?: number;
}

/** All words of a message, in order: what a reader sees and what the token estimate counts. */
export function wordsOf(content: string | readonly Block[]): string {
  if (typeof content === "string") return content;
  return content.map(wordsOfBlock).join("\n");
}

function wordsOfBlock(block: Block): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "thinking":
      return block.thinking;
    case "tool_use":
      return `${block.name} ${JSON.stringify(block.input)}`;
    case "tool_result":
      return block.content;
    case "image":
      return block.source.data;
  }
}
