import { noMessageAt } from "../../context/read/not-found.ts";
import type { Engine } from "../../engine.ts";
import { counted } from "../../text/counted.ts";
import { oneLine } from "../../text/escape-controls.ts";
import type { Conversation } from "../../types.ts";
import { runOperation } from "../run-operation.ts";

/** Throws if the first message of a range is beyond the end. */
export function requireWithin(conversation: Pick<Conversation, "id" | "messageCount">, from = 1): void {
  if (from > 1 && from > conversation.messageCount) throw noMessageAt(conversation, from);
}

/** Describes a conversation in a confirmation, so that a wrong id is noticed. Throws if it does not exist. */
export async function describeConversation(
  engine: Engine,
  id: string,
  range: { readonly from?: number | undefined; readonly to?: number | undefined } = {},
): Promise<string> {
  const { read } = await import("../retrieve/read.ts");
  const { conversation, messages } = await runOperation(read, engine, { id, ...range, limit: 1 });
  if (messages.length === 0) requireWithin(conversation, range.from);
  const name = oneLine(conversation.title ?? conversation.sessionId);
  return `${conversation.id} "${name}" (${counted(conversation.messageCount, "message")})`;
}
