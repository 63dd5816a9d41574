/**
 * The single write path of messages. Turns, transcript lines, attached files and resets become one `append`: the store
 * numbers the messages, stores them and changes the context in one transaction.
 */
import { isPalimpsestError } from "../../errors.ts";
import { NO_HOST } from "../../store/rules/host-context.ts";
import type { AppendWrite, NewConversation, ScopedStore, WriteResult } from "../../store/store.ts";
import { newConversationId } from "../../text/identifiers.ts";
import { isoTime } from "../../text/timestamps.ts";
import type { Clock, HostContext, RandomBytes } from "../../types.ts";
import type { KnownConversation } from "./turn-order.ts";

/** The input of an append. Omitted fields have no effect; a message with a known key and different content is rejected. */
interface Arrival extends Partial<Omit<AppendWrite, "kind" | "address" | "create" | "at" | "hostContext">> {
  readonly address: AppendWrite["address"];
  /** If given, the conversation is created when the address finds none. */
  readonly create?: Omit<NewConversation, "id" | "createdAt">;
  readonly hostContext?: Partial<HostContext>;
}

export interface AppendDependencies {
  readonly store: ScopedStore;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

type Appended = Extract<WriteResult, { kind: "append" }>;

const NOTHING = {
  turnKey: null,
  messages: [],
  onOtherContent: "refuse",
  afterSeq: null,
  leaveContext: [],
  enterContext: [],
  leaveOthersAfter: null,
  transcript: null,
  receipt: null,
} as const;

/** The store has received the write when this returns its promise: appends keep the order of the calls. */
export async function appendToConversation(
  { create, hostContext, ...arrival }: Arrival,
  use: AppendDependencies,
): Promise<Appended> {
  const at = isoTime(use.clock());
  const conversation =
    create === undefined ? null : { ...create, id: newConversationId(use.random), createdAt: at };
  const [result] = await use.store.commit([
    {
      ...NOTHING,
      ...arrival,
      hostContext: { ...NO_HOST, ...hostContext },
      kind: "append",
      create: conversation,
      at,
    },
  ]);
  if (result?.kind !== "append") throw new Error("the store confirmed a different write");
  return result;
}

/**
 * The same for consecutive turns: the first one carries the data for a new conversation, and so does a later one if
 * the conversation has been deleted since.
 */
export async function appendTurn(
  arrival: Omit<Arrival, "create">,
  titleOf: () => string | null,
  known: KnownConversation,
  use: AppendDependencies,
): Promise<Appended> {
  if (known.isOnRecord)
    try {
      return await appendToConversation(arrival, use);
    } catch (error) {
      if (!isPalimpsestError(error, "not-found")) throw error;
      // If the next attempt fails, a later retry starts with it.
      known.isOnRecord = false;
    }
  const appended = await appendToConversation({ ...arrival, create: { title: titleOf() } }, use);
  known.isOnRecord = appended.conversation.title !== null;
  return appended;
}
