import type { ScopedStore } from "../../store/store.ts";
import type { Conversation } from "../../types.ts";

export interface ListConversationsInput {
  /** Include archived conversations. Default false. */
  readonly archived?: boolean;
  /** How many to skip: `next` of the page before. Default 0. */
  readonly from?: number;
  /** Most conversations in the answer. Default 1,000. */
  readonly limit?: number;
}

export interface ConversationList {
  readonly conversations: readonly Conversation[];
  /** Null on the last page. */
  readonly next: number | null;
}

export async function listConversations(
  store: ScopedStore,
  input: ListConversationsInput,
): Promise<ConversationList> {
  const { rows, next } = await store.conversations(input);
  return { conversations: rows, next };
}
