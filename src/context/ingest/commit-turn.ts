/** Stores a turn once, completely, and in order. */
import type { z } from "zod";
import { PalimpsestError } from "../../errors.ts";
import { titleOf } from "../../message/title-of.ts";
import type { Complete } from "../../model/complete.ts";
import type { NewMessage, StoredConversation } from "../../store/store.ts";
import { messageId } from "../../text/identifiers.ts";
import type { commitTurnInput } from "../inputs.ts";
import { toAddress } from "../read/address.ts";
import { type Receipt, receiptSchema } from "../read/receipt.ts";
import { appendTurn } from "./append-to-conversation.ts";
import { externaliseTurn } from "./externalise-turn.ts";
import type { IngestDependencies, IngestSettings } from "./ingest-dependencies.ts";
import { type HostMessage, type PreparedMessage, prepareTurn, type TurnMessage } from "./prepare-turn.ts";
import { type SkipReason, skipReason } from "./skip-reason.ts";
import { TurnOrder } from "./turn-order.ts";

export interface CommitTurnInput extends Readonly<z.input<typeof commitTurnInput>> {
  /** Messages in the provider's or host's form, oldest first. */
  readonly messages: readonly (HostMessage | TurnMessage)[];
  /** What the model saw before it generated this turn: JSON text of ids and hashes. Default: not recorded. */
  readonly receipt?: Receipt;
  /** Writes summaries of this conversation from now on, instead of the engine's model. */
  readonly complete?: Complete;
}

export type CommitTurnResult =
  | {
      readonly status: "committed" | "duplicate";
      readonly conversation: string;
      readonly messages: readonly { readonly id: string; readonly seq: number; readonly existed: boolean }[];
    }
  | { readonly status: "skipped"; readonly reason: SkipReason };

interface CommittedTurn {
  readonly result: CommitTurnResult;
  /** Its current state; null if nothing was stored. */
  readonly conversation: StoredConversation | null;
}

/** `order` is shared by all callers that commit to the same conversations. */
export async function commitTurn(
  input: CommitTurnInput,
  use: IngestDependencies,
  order = new TurnOrder(),
): Promise<CommittedTurn> {
  const address = toAddress(input.conversation);
  const reason = input.heartbeat === true ? "heartbeat" : skipReason(use.settings, address);
  if (reason !== undefined) return { result: { status: "skipped", reason }, conversation: null };
  const reading = input.strictness === "keep" ? "lenient" : "strict";
  const prepared = prepareTurn(input.key, input.messages, { ...use, reading });
  const receipt = receiptOf(input);
  const name = JSON.stringify(address);
  const known = order.knownOf(name);
  const ready = order.prepared(name, () => externaliseTurn(prepared, address, use, known.calls));
  // Most turns need no preparation time and go to the store in order of arrival.
  const messages = withHeartbeats(ready instanceof Promise ? await ready : ready, prepared, use.settings);
  const { hostContext = {} } = input;
  const result = await appendTurn(
    { address, turnKey: input.key, messages, receipt, hostContext },
    () => titleOf(prepared),
    known,
    use,
  );
  const { conversation, status } = result;
  use.log.debug(
    { conversation_id: conversation.id, session_id: conversation.sessionId, turn_key: input.key, status },
    "turn committed",
  );
  const placed = result.messages.map(({ seq, existed }) => ({
    id: messageId(conversation.id, seq),
    seq,
    existed,
  }));
  return { result: { status, conversation: conversation.id, messages: placed }, conversation };
}

function receiptOf({ receipt }: CommitTurnInput): string | null {
  if (receipt === undefined) return null;
  const checked = receiptSchema.safeParse(receipt);
  if (!checked.success)
    throw new PalimpsestError("invalid-input", "receipt was not returned by assemble", {
      cause: checked.error,
    });
  return JSON.stringify(checked.data);
}

function withHeartbeats(
  messages: readonly NewMessage[],
  prepared: readonly PreparedMessage[],
  settings: IngestSettings,
): readonly NewMessage[] {
  if (!settings.pruneHeartbeatOk || !isHeartbeatTurn(prepared)) return messages;
  return messages.map((message) => ({ ...message, excluded: "heartbeat" }));
}

const ACKNOWLEDGEMENT = "HEARTBEAT_OK";

/**
 * A heartbeat turn is a poll by the host that the agent only acknowledged. Its messages are stored; with
 * `pruneHeartbeatOk` they stay out of the context.
 */
function isHeartbeatTurn(messages: readonly PreparedMessage[]): boolean {
  const answers = messages.filter((message) => message.role === "assistant");
  const polls = messages.filter((message) => message.role === "user");
  return (
    answers.length === 1 &&
    polls.length === 1 &&
    messages.length === 2 &&
    answers.every((message) => plainText(message)?.trim() === ACKNOWLEDGEMENT) &&
    polls.every((message) => /heartbeat/i.test(plainText(message) ?? ""))
  );
}

/** The text of a message that contains only text. */
function plainText(message: PreparedMessage): string | undefined {
  const texts: string[] = [];
  for (const part of message.parts) {
    if (part.type !== "text") return undefined;
    texts.push(part.text);
  }
  return texts.join("\n");
}
