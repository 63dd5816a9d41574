/**
 * Assembled items in the request format of each provider. The same items give the same bytes, appended items do not
 * change the earlier ones, and the result is always valid: every call is followed by its result, no result is
 * without its call, and content that a provider would reject is described in words instead.
 */
import type { AssembleFormat, WireFormat } from "../../../message/wire-formats.ts";
import type { Part, Role } from "../../../types.ts";
import { type AnthropicMessage, renderAnthropic } from "./anthropic.ts";
import { layOut } from "./lay-out.ts";
import { type ChatMessage, renderOpenaiChat } from "./openai-chat.ts";
import { type ResponsesItem, renderOpenaiResponses } from "./openai-responses.ts";

export type WireItem =
  | {
      readonly type: "message";
      readonly role: Role;
      /** The API message as the host gave it, without the envelope of a transcript's line. */
      readonly value: unknown;
      readonly parts: readonly Part[];
    }
  /** A summary in its frame, or a marker. */
  | { readonly type: "text"; readonly role: "user"; readonly text: string };

export interface WireContext<Message = unknown> {
  /** Anthropic takes system texts separately from the messages; null in other formats and if there are none. */
  readonly system: string | null;
  readonly messages: Message[];
}

export interface WireContexts {
  readonly anthropic: WireContext<AnthropicMessage>;
  readonly "openai-chat": WireContext<ChatMessage>;
  readonly "openai-responses": WireContext<ResponsesItem>;
}

/** A message in this format. In the format original it is whatever the host committed. */
export type MessageIn<Format extends AssembleFormat> = Format extends WireFormat
  ? WireContexts[Format]["messages"][number]
  : unknown;

const RENDERERS = {
  anthropic: renderAnthropic,
  "openai-chat": renderOpenaiChat,
  "openai-responses": renderOpenaiResponses,
} as const;

export function renderWire<Format extends WireFormat>(
  items: readonly WireItem[],
  format: Format,
): WireContexts[Format];
export function renderWire(items: readonly WireItem[], format: WireFormat): WireContext {
  return RENDERERS[format](layOut(items));
}
