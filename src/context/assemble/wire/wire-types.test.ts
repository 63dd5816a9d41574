/** Checked by the compiler: the renderers' output has the types of the providers' own libraries. */
import type { MessageParam } from "@anthropic-ai/sdk/resources/messages";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { ResponseInputItem } from "openai/resources/responses/responses";
import { expectTypeOf, it } from "vitest";
import type { AnthropicMessage, AssistantBlock, ServerBlock, UserBlock } from "./anthropic-types.ts";
import type { ChatMessage } from "./openai-chat.ts";
import type { ResponsesItem } from "./responses-types.ts";

/** Blocks of server tools are passed on opaquely, so their type is wider than Anthropic's. */
type Written =
  | { role: "user"; content: UserBlock[] }
  | { role: "assistant"; content: Exclude<AssistantBlock, ServerBlock>[] };

it("is typed as the providers' libraries want it", () => {
  expectTypeOf<Written>().toExtend<MessageParam>();
  expectTypeOf<AnthropicMessage["role"]>().toEqualTypeOf<MessageParam["role"] & ("user" | "assistant")>();
  expectTypeOf<ChatMessage>().toExtend<ChatCompletionMessageParam>();
  expectTypeOf<ResponsesItem>().toExtend<ResponseInputItem>();
});
