import type { Engine } from "../engine.ts";
import { PalimpsestError } from "../errors.ts";
import { counted } from "../text/counted.ts";
import { oneLine } from "../text/escape-controls.ts";
import { runOperation } from "./run-operation.ts";

/** Describes a conversation in a confirmation, so that a wrong id is noticed. Throws if it does not exist. */
export async function describeConversation(
  engine: Engine,
  id: string,
  range: { readonly from?: number | undefined; readonly to?: number | undefined } = {},
): Promise<string> {
  const { read } = await import("./retrieve/read.ts");
  const { conversation, messages } = await runOperation(read, engine, { id, ...range, limit: 1 });
  if (range.from !== undefined && messages.length === 0)
    throw new PalimpsestError("not-found", `${conversation.id} has no message ${range.from}`, {
      advice: `It has messages 1 to ${conversation.messageCount}.`,
    });
  const name = oneLine(conversation.title ?? conversation.sessionId);
  return `${conversation.id} "${name}" with ${counted(conversation.messageCount, "message")}`;
}
