import type { z } from "zod";
import type { ScopedStore } from "../../store/store.ts";
import type { Conversation } from "../../types.ts";
import type { listConversationsInput } from "../inputs.ts";

export type ListConversationsInput = z.input<typeof listConversationsInput>;

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
