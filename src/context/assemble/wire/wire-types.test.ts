/** Checked by the compiler: the renderers' output has the types of the providers' own libraries. */
import type { MessageParam } from "@anthropic-ai/sdk/resources/messages";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { ResponseInputItem } from "openai/resources/responses/responses";
import { expectTypeOf, it } from "vitest";
import type { Engine } from "../../../engine.ts";
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

it("is typed by the format that assemble gets", () => {
  const assemble = async ({ context }: Engine) => {
    const conversation = "session";
    const { messages: anthropic } = await context.assemble({ conversation, format: "anthropic" });
    const { messages: chat } = await context.assemble({ conversation, format: "openai-chat" });
    const { messages: items } = await context.assemble({ conversation, format: "openai-responses" });
    const { messages: original } = await context.assemble({ conversation });
    return { anthropic, chat, items, original };
  };
  type Assembled = Awaited<ReturnType<typeof assemble>>;
  expectTypeOf<Assembled["anthropic"]>().toEqualTypeOf<readonly AnthropicMessage[]>();
  expectTypeOf<Assembled["chat"]>().toEqualTypeOf<readonly ChatMessage[]>();
  expectTypeOf<Assembled["items"]>().toEqualTypeOf<readonly ResponsesItem[]>();
  expectTypeOf<Assembled["original"]>().toEqualTypeOf<readonly unknown[]>();
});
