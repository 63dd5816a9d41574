/**
 * The one way in. Turns, lines of transcripts, attached files and resets become one `append`: the store numbers the
 * messages, keeps them and changes the context in one transaction.
 */
import { isPalimpsestError } from "../../errors.ts";
import { NO_HOST } from "../../store/rules/host-context.ts";
import type { AppendWrite, NewConversation, ScopedStore, WriteResult } from "../../store/store.ts";
import { newConversationId } from "../../text/identifiers.ts";
import { isoTime } from "../../text/timestamps.ts";
import type { Clock, HostContext, RandomBytes } from "../../types.ts";
import type { KnownConversation } from "./turn-order.ts";

/** What comes in. Whatever is left out has no effect; a message with a known key and other content is refused. */
interface Arrival extends Partial<Omit<AppendWrite, "kind" | "address" | "create" | "at" | "hostContext">> {
  readonly address: AppendWrite["address"];
  /** Given: the conversation is created when the address finds none. */
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

/** The store has the write when this returns its promise: appends keep the order in which they are called. */
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
 * The same for turns, which follow each other: what a new conversation needs is made for the first of them, and again if
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
      // Should the next attempt fail, whoever tries again starts with it.
      known.isOnRecord = false;
    }
  const appended = await appendToConversation({ ...arrival, create: { title: titleOf() } }, use);
  known.isOnRecord = appended.conversation.title !== null;
  return appended;
}
